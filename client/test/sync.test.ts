import { describe, expect, it } from 'vitest';
import type { Product, SyncOptions, SyncReport } from '../src/index.ts';
import { BrandClient, SyncError } from '../src/index.ts';
import type { Delivery } from './faulty-network.ts';
import { FaultyNetwork } from './faulty-network.ts';
import { all } from './outcomes.ts';
import { takeBrand } from '../../test/node/pool.ts';

type Options = Partial<SyncOptions<Product, 'sku'>>;

/** What a brand's products are in short: their SKUs and prices. */
type Catalogue = Readonly<Record<string, number>>;

const item = (sku: string, priceCents = 1): { sku: string; title: string; priceCents: number } => ({
  sku,
  title: `Product ${sku}`,
  priceCents,
});

const items = (count: number, priceCents = 1): ReturnType<typeof item>[] =>
  Array.from({ length: count }, (_, index) => item(`S-${index}`, priceCents));

/** Creates a brand with products of its own. */
async function shop(products: readonly object[] = []): Promise<{
  readonly client: BrandClient;
  readonly network: FaultyNetwork;
  readonly catalogue: () => Promise<Catalogue>;
  readonly sync: (list: unknown, options?: Options) => Promise<SyncReport>;
}> {
  const { apiKey, baseUrl } = await takeBrand();
  const network = new FaultyNetwork();
  const plain = new BrandClient({ apiKey, baseUrl });
  const client = new BrandClient({ apiKey, baseUrl, fetch: network.fetch });
  if (products.length > 0) await plain.products.push(anyItems(products), { match: 'sku' });
  return {
    client,
    network,
    catalogue: async () => {
      const listed = await all(plain.products.list());
      return Object.fromEntries(listed.map(({ sku, id, priceCents }) => [sku ?? id, priceCents]));
    },
    sync: async (list, options) =>
      client.products.sync(anyItems(list), { match: 'sku', ...options }),
  };
}

/** A matcher of texts that contain a text. vitest declares it as `any`. */
function textWith(part: string): unknown {
  return expect.stringContaining(part);
}

/** Items as a program without types may send them. */
function anyItems(list: unknown): { sku: string }[] {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- bad items are what is tested
  return list as { sku: string }[];
}

const nothing: SyncReport = {
  created: 0,
  updated: 0,
  unchanged: 0,
  deleted: 0,
  withheld: 0,
  kept: [],
  refused: [],
};

describe('A sync', () => {
  it('creates, updates and deletes what differs, and then needs one request that writes nothing', async () => {
    const { sync, catalogue, network, client } = await shop(items(20));
    const wanted = [...items(18).slice(1), item('S-0', 5), item('N')];
    const dry = await sync(wanted, { deleteMissing: true, dryRun: true });
    expect(dry).toEqual({ ...nothing, created: 1, updated: 1, unchanged: 17, deleted: 2 });
    expect(Object.keys(await catalogue())).toHaveLength(20);

    const progress: unknown[] = [];
    const onProgress = (one: unknown): unknown => progress.push(one);
    expect(await sync(wanted, { deleteMissing: true, onProgress })).toEqual(dry);
    expect(progress.at(-1)).toEqual({ done: 21, total: 21 });
    const prices = wanted.map(({ sku, priceCents }) => [sku, priceCents] as const);
    expect(await catalogue()).toEqual(Object.fromEntries(prices));

    const before = network.sent.length;
    const etags = await all(client.products.list());
    const again = await sync(
      (async function* source() {
        await Promise.resolve();
        yield* wanted;
      })(),
      { deleteMissing: true },
    );
    expect(again).toEqual({ ...nothing, unchanged: 19 });
    expect(network.sent.slice(before).map(({ method }) => method)).toEqual(['GET', 'GET']);
    expect(await all(client.products.list())).toEqual(etags);
  });

  it('syncs coupon codes in any case', async () => {
    const { client } = await shop();
    await client.couponCodes.createMany([
      { code: 'KEEP', discountPercent: 5 },
      { code: 'gone', discountPercent: 5 },
    ]);
    const list = [{ code: 'keep', discountPercent: 5 }];
    const options = { match: 'code', deleteMissing: true } as const;
    expect(await client.couponCodes.sync(list, options)).toEqual({
      ...nothing,
      updated: 1,
      deleted: 1,
    });
    expect(await client.couponCodes.sync(list, options)).toEqual({ ...nothing, unchanged: 1 });
  });

  it.each<[string, object, object]>([
    ['white space', { sku: ' A ' }, { sku: 'A' }],
    ['the form of a letter', { sku: 'A', title: 'Cafe\u0301' }, { title: 'Caf\u00e9' }],
    [
      'the zone of a time',
      { sku: 'A', sourceUpdatedAt: '2026-01-31T10:30:00.1239+01:00' },
      { sourceUpdatedAt: '2026-01-31T09:30:00.123Z' },
    ],
    ['a field that is not named', { sku: 'A' }, { description: 'By hand' }],
    ['a read-only field', { sku: 'A', id: 'x', createdAt: 1, updatedAt: null }, {}],
    ['an undefined field', { sku: 'A', description: undefined }, { description: 'x' }],
  ])('takes %s for no difference', async (_, sent, stored) => {
    const { sync } = await shop([{ ...item('A'), ...stored }]);
    expect(await sync([sent])).toEqual({ ...nothing, unchanged: 1 });
  });
});

describe('The deletions of a sync', () => {
  it.each<
    [string, number, number, Options['deleteMissing'], { deleted?: number; withheld?: number }]
  >([
    ['are not asked for', 20, 10, undefined, {}],
    ['are refused', 20, 10, false, {}],
    ['are 10 of 20', 20, 10, true, { deleted: 10 }],
    ['are 11 of 20', 20, 9, true, { withheld: 11 }],
    ['are 11 of 120', 120, 109, true, { deleted: 11 }],
    ['are 13 of 120', 120, 107, true, { withheld: 13 }],
    ['are as many as the maximum', 20, 18, { max: 2 }, { deleted: 2 }],
    ['are more than the maximum', 20, 17, { max: 2 }, { withheld: 3 }],
    ['may be none', 20, 19, { max: 0 }, { withheld: 1 }],
    ['are as large as the share', 20, 10, { max: '50%' }, { deleted: 10 }],
    ['are larger than the share', 20, 9, { max: '50%' }, { withheld: 11 }],
    ['may be all but one', 20, 1, { max: '100%' }, { deleted: 19 }],
    ['would be all', 20, 0, { max: '100%' }, { withheld: 20 }],
  ])('if they %s', async (_, count, left, deleteMissing, expected) => {
    const { sync, catalogue } = await shop(items(count));
    const list = left === 0 ? [] : [...items(left), item('NEW')];
    const written = left === 0 ? {} : { unchanged: left, created: 1 };
    expect(await sync(list, { deleteMissing })).toEqual({ ...nothing, ...written, ...expected });
    expect(Object.keys(await catalogue())).toHaveLength(
      count + (left === 0 ? 0 : 1) - (expected.deleted ?? 0),
    );
  });

  it('spare what is not owned, what has no key, and what is newer than the items', async () => {
    const { sync, client, catalogue } = await shop([
      item('A'),
      { ...item('OTHER'), source: 'WOOCOMMERCE' },
      item('OLD'),
    ]);
    const keyless = await client.products.create({ title: 'No SKU', priceCents: 1 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const readAt = new Date();
    const { data } = await client.products.create(item('YOUNG'));
    const owned = ({ source }: Product): boolean => source === 'API';
    expect(await sync([item('A')], { owned, deleteMissing: { readAt } })).toEqual({
      ...nothing,
      unchanged: 1,
      deleted: 1,
      kept: [{ id: data.id, key: 'YOUNG', reason: 'it was changed after the items were read' }],
    });
    expect(Object.keys(await catalogue())).toEqual(['A', 'OTHER', keyless.data.id, 'YOUNG']);
  });

  it.each<[string, readonly unknown[], string | null, string]>([
    ['a field is invalid', [{ sku: 'A', priceCents: -1 }], 'A', 'priceCents: '],
    ['the key is a number', [{ sku: 17 }], '17', 'sku: expected a string'],
    ['the key has a control character', [{ ...item('B\u0099') }], 'B\u0099', 'sku: '],
    ['it is a deletion', [{ sku: 'A', deleted: true }], 'A', 'deleted: '],
    ['an earlier one has its key', [item('A'), item(' A')], ' A', 'sku: item 0 has the value'],
    ['it has no key', [{ title: 'x' }], null, 'sku: required'],
    ['it is no object', [null], null, 'expected an object'],
  ])('keep the resource of an item that is refused because %s', async (_, bad, key, error) => {
    const { sync, catalogue } = await shop([item('A'), item('17'), item('B')]);
    const others = [item('A'), item('B'), item('17')].filter(
      ({ sku }) => !JSON.stringify(bad).includes(sku),
    );
    const report = await sync([...bad, ...others], { deleteMissing: true });
    expect(report.refused).toEqual([{ index: bad.length - 1, key, error: textWith(error) }]);
    expect(report).toMatchObject({ deleted: 0, withheld: 0 });
    expect(await catalogue()).toEqual({ A: 1, 17: 1, B: 1 });
  });

  it('are withheld if nobody can tell which resource an item means', async () => {
    const { sync } = await shop(items(2));
    const list = [item('S-0'), { sku: 12345678901234567890 }];
    expect(await sync(list, { deleteMissing: true })).toMatchObject({ deleted: 0, withheld: 1 });
  });

  it('are withheld if no item is accepted', async () => {
    const { sync, catalogue } = await shop(items(3));
    const error = { sku: 'rate_limited', message: 'Try later' };
    const report = await sync([error], { deleteMissing: { max: '100%' } });
    expect(report).toMatchObject({ deleted: 0, withheld: 3, refused: [{ key: 'rate_limited' }] });
    expect(Object.keys(await catalogue())).toHaveLength(3);
  });

  it('spare resources that share a key', async () => {
    const { sync, client, catalogue } = await shop([item('A')]);
    const twins = await client.products.createMany([item('T'), item('T'), item('U'), item('U')]);
    const report = await sync([item('A'), item('T', 7)], { deleteMissing: true });
    expect(report).toEqual({
      ...nothing,
      unchanged: 1,
      kept: twins.slice(2).map(({ id }) => ({
        id,
        key: 'U',
        reason: '2 resources have this sku',
      })),
      refused: [{ index: 1, key: 'T', error: 'sku: 2 products have the value "T"' }],
    });
    expect(await catalogue()).toEqual({ A: 1, T: 1, U: 1 });
  });

  it.each([
    ['the push', 'POST', 'after the items were read'],
    ['its reading', 'GET', 'during the sync'],
  ])('spare a resource that is changed after %s', async (_, moment, when) => {
    const { sync, client, network, catalogue } = await shop([item('A'), item('X'), item('Y')]);
    const [, x] = await all(client.products.list());
    const id = x?.id ?? '';
    let isChanged = false;
    network.after = async ({ method, path }) => {
      if (isChanged || method !== moment || (moment === 'GET' && !path.endsWith(id))) return;
      isChanged = true;
      await client.products.update(id, { priceCents: 9 });
    };
    const report = await sync([item('A', 2)], { deleteMissing: true });
    expect(isChanged).toBe(true);
    expect(report).toMatchObject({ updated: 1, deleted: 1 });
    expect(report.kept).toEqual([{ id, key: 'X', reason: `it was changed ${when}` }]);
    expect(await catalogue()).toEqual({ A: 2, X: 9 });
  });
});

/** A response of something between the client and the service. */
const gateway = (status: number): Response => new Response('No backend.', { status });

/** An error of the service. */
const refusal = (status: number): Response => Response.json({ error: 'No.' }, { status });

describe('A sync that is disturbed', () => {
  const before = [...items(6), item('GONE-1'), item('GONE-2')];
  const wanted = [...items(5).slice(1), item('S-5', 9), item('S-0', 2), item('NEW')];
  const expected = { 'S-0': 2, 'S-1': 1, 'S-2': 1, 'S-3': 1, 'S-4': 1, 'S-5': 9, NEW: 1 };

  it.each<[string, () => Delivery]>([
    ['an answer is lost', () => 'answer lost'],
    ['an answer breaks off', () => 'body lost'],
    ['a request never arrives', () => 'never arrives'],
    ['a gateway answers 404', () => gateway(404)],
    ['the service is unavailable', () => refusal(503)],
  ])('ends the same when run again, if %s at any request', async (_, fault) => {
    for (let at = 0, isDone = false; !isDone; at++) {
      const { sync, catalogue, network } = await shop(before);
      network.next(...Array.from({ length: at }, (): Delivery => 'served'), fault());
      await sync(wanted, { deleteMissing: true, tries: 1 }).catch((error: unknown) => error);
      isDone = network.sent.length <= at;
      network.forget();
      expect(await sync(wanted, { deleteMissing: true })).toMatchObject({ refused: [], kept: [] });
      expect(await catalogue()).toEqual(expected);
    }
  });

  it('reports what was done before a request failed', async () => {
    const { sync, network } = await shop(before);
    network.next('served', 'served', 'served', 'served', 'served', refusal(403));
    const error = await sync(wanted, { deleteMissing: true, tries: 1 }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(SyncError);
    expect(error).toMatchObject({
      message: 'No.',
      report: { ...nothing, created: 1, updated: 2, unchanged: 4, deleted: 1 },
    });
  });

  it('is aborted between two requests', async () => {
    const { sync, network, catalogue } = await shop(before);
    const controller = new AbortController();
    network.after = ({ method }) => {
      if (method === 'POST') controller.abort(new Error('Enough.'));
      return Promise.resolve();
    };
    await expect(
      sync(wanted, { deleteMissing: true, signal: controller.signal }),
    ).rejects.toMatchObject({ name: 'SyncError', message: 'Enough.' });
    expect(Object.keys(await catalogue())).toContain('GONE-1');
  });

  it.each<[string, object]>([
    ['match to be', { match: '' }],
    ['the options to be known: there is no dryrun', { match: 'sku', dryrun: true }],
    ['owned to be', { match: 'sku', owned: 'all' }],
    ['deleteMissing to be', { match: 'sku', deleteMissing: 5 }],
    [
      'deleteMissing to be known: there is no maximum',
      { match: 'sku', deleteMissing: { maximum: 0 } },
    ],
    ['deleteMissing.max to be', { match: 'sku', deleteMissing: { max: '10' } }],
    ['deleteMissing.max to be', { match: 'sku', deleteMissing: { max: NaN } }],
    ['deleteMissing.readAt to be', { match: 'sku', deleteMissing: { readAt: new Date(NaN) } }],
  ])('sends nothing if it expected %s something else', async (problem, options) => {
    const { sync, network } = await shop();
    await expect(sync([], options)).rejects.toThrow(`Expected ${problem}`);
    expect(network.sent).toEqual([]);
  });

  it('sends its requests no more often than it is told', async () => {
    let sent = 0;
    const offline = (): Promise<Response> => {
      sent++;
      return Promise.reject(new TypeError('fetch failed'));
    };
    const client = new BrandClient({ apiKey: 'key', baseUrl: 'http://localhost', fetch: offline });
    await expect(client.products.sync([], { match: 'sku', tries: 1 })).rejects.toThrow(
      'not answer',
    );
    expect(sent).toBe(1);
  });

  it('reports its progress if nothing differs too', async () => {
    const { sync } = await shop(items(2));
    const progress: object[] = [];
    await sync(items(2), { onProgress: (one) => progress.push(one) });
    expect(progress).toEqual([{ done: 2, total: 2 }]);
  });

  it('writes nothing if its source fails midway', async () => {
    const { sync, network } = await shop(before);
    const source = function* source(): Generator<object> {
      yield item('NEW');
      throw new Error('The export ended early.');
    };
    await expect(sync(source(), { deleteMissing: true })).rejects.toThrow('ended early');
    expect(network.sent).toEqual([]);
  });

  it('writes nothing if the list of the service is cut or another one', async () => {
    const { sync, network } = await shop(before);
    for (const text of ['{"products":[', '{"couponCodes":[]}', '<html>{}</html>', '[]', '']) {
      network.respond = ({ searchParams }) =>
        searchParams.size === 0 ? new Response(text) : undefined;
      await expect(sync(wanted, { deleteMissing: true })).rejects.toThrow('no complete list');
    }
    expect(network.sent.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('lets two syncs of one list run at once', async () => {
    const { sync, catalogue } = await shop(before);
    await Promise.all([
      sync(wanted, { deleteMissing: true }),
      sync(wanted, { deleteMissing: true }),
    ]);
    await sync(wanted, { deleteMissing: true });
    expect(Object.keys(await catalogue()).sort()).toEqual(Object.keys(expected).sort());
  });

  it('refuses only the item that has too many values', async () => {
    const { sync, catalogue } = await shop();
    const bad = { ...item('BAD'), extra: Array.from({ length: 1100 }, () => ({})) };
    const report = await sync([item('A'), bad, item('B')]);
    expect(report).toMatchObject({ created: 2, refused: [{ index: 1, key: 'BAD' }] });
    expect(await catalogue()).toEqual({ A: 1, B: 1 });
  });
});
