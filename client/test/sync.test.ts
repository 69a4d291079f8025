import { expect, it } from 'vitest';
import type {
  Product,
  RefusedItem,
  SyncOptions,
  SyncReport,
  WithheldBecause,
} from '../src/index.ts';
import { BrandClient, SyncError } from '../src/index.ts';
import type { Delivery } from './faulty-network.ts';
import { connectNowhere } from './connected.ts';
import { FaultyNetwork } from './faulty-network.ts';
import { all, NOTHING } from './outcomes.ts';
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

function refusal(status: number, headers: Record<string, string> = {}): Response {
  return Response.json({ error: 'No.' }, { status, headers });
}

/** A matcher of texts that contain a text. vitest declares it as `any`. */
function textWith(part: string): unknown {
  return expect.stringContaining(part);
}

/** vitest declares it as `any`. */
const anything: unknown = expect.anything();

/** What a refused item says, if it has one problem. */
function refusedFor(path: string, message: string): Pick<RefusedItem, 'error' | 'problems'> {
  const error = path === '' ? message : `${path}: ${message}`;
  return { error, problems: [{ path, message }] };
}

/** Items as a program without types may send them. */
function anyItems(list: unknown): { sku: string }[] {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- bad items are what is tested
  return list as { sku: string }[];
}

it('A sync creates, updates and deletes what differs, and then needs one request that writes nothing', async () => {
  const { sync, catalogue, network, client } = await shop(items(20));
  const wanted = [...items(18).slice(1), item('S-0', 5), item('N')];
  const dry = await sync(wanted, { deleteMissing: true, dryRun: true });
  const { changes, ...counts } = dry;
  expect(counts).toEqual({ ...NOTHING, created: 1, updated: 1, unchanged: 17, deleted: 2 });
  expect(changes?.map(({ action, key }) => [action, key])).toEqual([
    ['update', 'S-0'],
    ['create', 'N'],
    ['delete', 'S-18'],
    ['delete', 'S-19'],
  ]);
  expect(Object.keys(await catalogue())).toHaveLength(20);

  const progress: unknown[] = [];
  const onProgress = (one: unknown): unknown => progress.push(one);
  expect(await sync(wanted, { deleteMissing: true, onProgress })).toEqual(counts);
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
  expect(again).toEqual({ ...NOTHING, unchanged: 19 });
  expect(network.sent.slice(before).map(({ method }) => method)).toEqual(['GET', 'GET']);
  expect(await all(client.products.list())).toEqual(etags);
});

it('A sync matches coupon codes in any case', async () => {
  const { client } = await shop();
  await client.couponCodes.createMany([
    { code: 'KEEP', discountPercent: 5 },
    { code: 'gone', discountPercent: 5 },
  ]);
  const list = [{ code: 'keep', discountPercent: 5 }];
  const options = { match: 'code', deleteMissing: true } as const;
  expect(await client.couponCodes.sync(list, options)).toEqual({
    ...NOTHING,
    updated: 1,
    deleted: 1,
  });
  expect(await client.couponCodes.sync(list, options)).toEqual({ ...NOTHING, unchanged: 1 });
});

it('A sync lets a code keep its spelling, if it is asked to', async () => {
  const { client, network } = await shop();
  const { couponCodes } = client;
  const before = { discountPercent: 5, storeDiscountId: '1' };
  await couponCodes.create({ code: 'KEEP', ...before });
  const options = { keepSpelling: true, dryRun: true } as const;
  for (const match of ['code', 'storeDiscountId'] as const) {
    const list = [{ code: 'Keep', ...before }];
    expect(await couponCodes.sync(list, { match, ...options })).toMatchObject({ unchanged: 1 });
    const cheaper = [{ code: 'keep', ...before, discountPercent: 6 }];
    const { changes } = await couponCodes.sync(cheaper, { match, ...options });
    expect(changes).toMatchObject([{ title: 'KEEP', fields: { discountPercent: [5, 6] } }]);
    const { length } = network.sent;
    await couponCodes.sync(cheaper, { match, keepSpelling: true });
    // The list is read once.
    expect(network.sent.slice(length).map(({ method }) => method)).toEqual(['GET', 'POST']);
    expect(await all(couponCodes.list())).toMatchObject([{ code: 'KEEP', discountPercent: 6 }]);
    await couponCodes.push([{ code: 'KEEP', discountPercent: 5 }], { match: 'code' });
  }
  const renamed = [{ ...before, code: 'Ķeep' }];
  await couponCodes.sync(renamed, { match: 'storeDiscountId', keepSpelling: true });
  expect(await all(couponCodes.list())).toMatchObject([{ code: 'Ķeep' }]);
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
])(
  'A sync takes for no difference what the service stores as the same: %s',
  async (_, sent, stored) => {
    const { sync } = await shop([{ ...item('A'), ...stored }]);
    expect(await sync([sent])).toEqual({ ...NOTHING, unchanged: 1 });
  },
);

/** As a class of a program may be: JSON has nothing of its getters. */
class Row {
  readonly sku: string;
  constructor(sku: string) {
    this.sku = sku;
  }
  get title(): string {
    return `Row ${this.sku}`;
  }
  get priceCents(): number {
    return this.sku.length;
  }
}

it('A getter of a class is no member of an item, as in JSON', async () => {
  const { sync, catalogue } = await shop([item('A')]);
  expect(await sync([new Row('A')])).toEqual({ ...NOTHING, unchanged: 1 });
  const getters = { sku: { get: () => 'A', enumerable: false } };
  const keyless: unknown = Object.defineProperties({}, getters);
  expect(await sync([keyless], { deleteMissing: true })).toEqual({
    ...NOTHING,
    refused: [{ index: 0, key: null, ...refusedFor('sku', 'required') }],
    withheld: 1,
    withheldBecause: 'unclear',
  });
  expect(await catalogue()).toEqual({ A: 1 });
});

it('A toJSON returns the item that a sync sends, and each member is read once', async () => {
  const { sync, catalogue } = await shop([item('A'), item('B')]);
  let reads = 0;
  const counting = {
    sku: 'A',
    get priceCents() {
      return ++reads;
    },
  };
  const sent = { ...item('B', 7), toJSON: () => item('B', 8) };
  expect(await sync([counting, sent])).toEqual({ ...NOTHING, unchanged: 1, updated: 1 });
  expect([reads, await catalogue()]).toEqual([1, { A: 1, B: 8 }]);
});

it.each(['__proto__', 'constructor', 'toString'])(
  'A member that all objects have is a field that the service does not know: %s',
  async (name) => {
    const { sync } = await shop([item('A')]);
    const report = await sync([JSON.parse(`{"sku":"A","${name}":{}}`)], { dryRun: true });
    const problems = [{ path: name, message: textWith('unknown field') }];
    expect(report.refused).toEqual([{ index: 0, key: 'A', error: textWith(name), problems }]);
  },
);

it('A sync that keeps fields leaves them alone in what exists, and gives them to what is new', async () => {
  const { sync, client, network } = await shop([item('A'), item('B')]);
  const list = ['A', 'B', 'N'].map((sku) => ({ ...item(sku, 5), title: 'Of the store' }));
  expect(await sync(list, { keep: ['title'] })).toEqual({ ...NOTHING, created: 1, updated: 2 });
  const listed = await all(client.products.list());
  expect(listed.map(({ title, priceCents }) => [title, priceCents])).toEqual([
    ['Product A', 5],
    ['Product B', 5],
    ['Of the store', 5],
  ]);
  const before = network.sent.length;
  expect(await sync(list, { keep: ['title'] })).toEqual({ ...NOTHING, unchanged: 3 });
  expect(network.sent).toHaveLength(before + 1);
});

it('A dry run of a sync names each creation, change and deletion, with values as they are stored', async () => {
  const { sync, client } = await shop([item('A'), item('B'), item('X'), item('Y')]);
  const [a, , x] = await all(client.products.list());
  const changed = {
    ...item(' A '),
    title: ' Cafe\u0301 ',
    sourceUpdatedAt: '2026-01-31T10:30:00+01:00',
  };
  const list = [changed, item('B'), { ...item('N'), id: 'x' }, { sku: 'Y' }];
  const options = { dryRun: true, deleteMissing: true, keep: ['priceCents'] } as const;
  const { changes } = await sync(list, options);
  expect(changes).toEqual([
    {
      action: 'update',
      key: ' A ',
      id: a?.id,
      title: 'Product A',
      fields: {
        title: ['Product A', 'Caf\u00e9'],
        sourceUpdatedAt: [null, '2026-01-31T09:30:00.000Z'],
      },
    },
    {
      action: 'create',
      key: 'N',
      id: null,
      title: 'Product N',
      fields: { sku: [null, 'N'], title: [null, 'Product N'], priceCents: [null, 1] },
    },
    { action: 'delete', key: 'X', id: x?.id, title: 'Product X' },
  ]);
  const withheld = await sync(list, { ...options, deleteMissing: { max: 0 } });
  expect(withheld.changes?.at(-1)).toEqual({ ...changes?.at(-1), action: 'withhold' });
  expect((await sync(list, { dryRun: true })).changes).toHaveLength(2);
});

it('A dry run of a sync calls a coupon code by its code', async () => {
  const { client } = await shop();
  const { data } = await client.couponCodes.create({ code: 'OLD', discountPercent: 5 });
  const list = [{ storeDiscountId: '1', code: 'NEW', discountPercent: 5 }];
  const options = { match: 'storeDiscountId', dryRun: true } as const;
  expect(await client.couponCodes.sync(list, options)).toMatchObject({
    changes: [{ action: 'create', key: '1', title: 'NEW' }],
    unmatched: 1,
  });
  const byCode = [{ code: 'old', discountPercent: 6 }];
  const { changes } = await client.couponCodes.sync(byCode, { match: 'code', dryRun: true });
  const fields = { code: ['OLD', 'old'], discountPercent: [5, 6] };
  expect(changes).toEqual([{ action: 'update', key: 'old', id: data.id, title: 'OLD', fields }]);
});

it.each<[string, number, number, Options['deleteMissing'], Partial<SyncReport>]>([
  ['are not asked for', 20, 10, undefined, {}],
  ['are 10 of 20', 20, 10, true, { deleted: 10 }],
  ['are 11 of 22', 22, 11, true, { withheld: 11, withheldBecause: 'limit' }],
  ['are 12 of 120', 120, 108, true, { deleted: 12 }],
  ['are 13 of 120', 120, 107, true, { withheld: 13, withheldBecause: 'limit' }],
  ['are 6 of 11', 11, 5, true, { withheld: 6, withheldBecause: 'limit' }],
  ['are more than the maximum', 20, 17, { max: 2 }, { withheld: 3, withheldBecause: 'limit' }],
  ['are as large as the share', 20, 5, { max: '75%' }, { deleted: 15 }],
  ['would be all', 20, 0, { max: '100%' }, { withheld: 20, withheldBecause: 'nothing-accepted' }],
])(
  'A sync deletes what is missing if it may, and never too much: deletions that %s',
  async (_, count, left, deleteMissing, expected) => {
    const { sync, catalogue } = await shop(items(count));
    const list = left === 0 ? [] : [...items(left), item('NEW')];
    const written = left === 0 ? {} : { unchanged: left, created: 1 };
    expect(await sync(list, { deleteMissing })).toEqual({ ...NOTHING, ...written, ...expected });
    expect(Object.keys(await catalogue())).toHaveLength(
      count + (left === 0 ? 0 : 1) - (expected.deleted ?? 0),
    );
  },
);

it('A deletion of a sync spares what is not owned, what has no key, and what is newer than the items', async () => {
  const { sync, client, catalogue } = await shop([
    item('A'),
    item('B'),
    { ...item('OTHER'), source: 'WOOCOMMERCE' },
    item('OLD'),
  ]);
  const keyless = await client.products.create({ title: 'No SKU', priceCents: 1 });
  await new Promise((resolve) => setTimeout(resolve, 20));
  const readAt = new Date();
  const { data } = await client.products.create(item('YOUNG'));
  const owned = ({ source }: Product): boolean => source === 'API';
  expect(await sync([item('A'), item('B')], { owned, deleteMissing: { readAt } })).toEqual({
    ...NOTHING,
    unchanged: 2,
    deleted: 1,
    unmatched: 1,
    kept: [{ id: data.id, key: 'YOUNG', reason: 'it was changed after the items were read' }],
  });
  expect(Object.keys(await catalogue())).toEqual(['A', 'B', 'OTHER', keyless.data.id, 'YOUNG']);
});

it.each<[string, readonly unknown[], string, string]>([
  ['a field is invalid', [{ sku: 'A', priceCents: -1 }], 'A', 'priceCents: '],
  ['the key has a control character', [{ ...item('B\u0099') }], 'B\u0099', 'sku: '],
  ['it is a deletion', [{ sku: 'A', deleted: true }], 'A', 'deleted: '],
  ['an earlier one has its key', [item('A'), item(' A')], ' A', 'sku: item 0 has the value'],
])(
  'A deletion of a sync spares the resource of an item that is refused: %s',
  async (_, bad, key, error) => {
    const { sync, catalogue } = await shop([item('A'), item('17'), item('B')]);
    const others = [item('A'), item('B'), item('17')].filter(
      ({ sku }) => !JSON.stringify(bad).includes(sku),
    );
    const report = await sync([...bad, ...others], { deleteMissing: true });
    const [path = '', message = ''] = error.split(': ');
    const [refused] = report.refused;
    expect(report.refused).toMatchObject([{ index: bad.length - 1, key, error: textWith(error) }]);
    expect(refused?.problems).toContainEqual({ path, message: textWith(message) });
    expect(report).toMatchObject({ deleted: 0, withheld: 0 });
    expect(await catalogue()).toEqual({ A: 1, 17: 1, B: 1 });
  },
);

const inexact = 'which is too large to be exact';
it.each<[string, unknown, string | null, string]>([
  ['is missing', {}, null, 'sku: required'],
  ['is null', { sku: null }, null, 'sku: required'],
  ['is blank', { sku: ' ' }, null, 'sku: required'],
  ['is a number', { sku: 17 }, '17', 'sku: expected a string, not the number 17'],
  ['is a large number', { sku: 3791411052119578828 }, null, inexact],
  ['is an object', { sku: {} }, null, 'sku: expected a string'],
  ['is not readable', item('\u0001'), '\u0001', 'sku: '],
  ['is that of no object', null, null, 'expected an object'],
])(
  'The deletions of a sync are withheld if nobody knows the key of an item: it %s',
  async (_, bad, key, error) => {
    const { sync, catalogue } = await shop(items(4));
    const report = await sync([...items(3), bad], { deleteMissing: true });
    expect(report).toEqual({
      ...NOTHING,
      unchanged: 3,
      withheld: 1,
      withheldBecause: 'unclear',
      refused: [{ index: 3, key, error: textWith(error), problems: anything }],
    });
    expect(Object.keys(await catalogue())).toHaveLength(4);
    expect(await sync([...items(4), bad], { deleteMissing: true })).toMatchObject({ withheld: 0 });
  },
);

it('A deletion of a sync spares what has an item with its key alone, which is never refused', async () => {
  const { sync, client, network, catalogue } = await shop(items(4));
  await client.products.createMany([item('T'), item('T')]);
  const list = ['S-0', 'S-1', 'T', 'NOBODY', 'S-1'].map((sku) => ({ sku }));
  const before = network.sent.length;
  const report = await sync(list, { deleteMissing: true });
  expect(report).toEqual({ ...NOTHING, unchanged: 5, deleted: 2 });
  expect(network.sent.slice(before).map(({ method }) => method)).not.toContain('POST');
  expect(Object.keys(await catalogue())).toEqual(['S-0', 'S-1', 'T']);
});

it('The deletions of a sync are withheld if all items are keys that nobody has', async () => {
  const { sync } = await shop(items(3));
  const report = await sync([{ sku: 'code' }], { deleteMissing: { max: '100%' } });
  expect(report).toEqual({
    ...NOTHING,
    unchanged: 1,
    withheld: 3,
    withheldBecause: 'nothing-accepted',
  });
});

it('The deletions of a sync are those that the source confirms, asked in batches', async () => {
  const { sync, catalogue } = await shop(items(121));
  const asked: number[] = [];
  const confirm = (resources: readonly Product[]): string[] => {
    asked.push(resources.length);
    // The source still has the first of each batch.
    return [...resources.slice(1).map(({ id }) => id), 'another'];
  };
  const deleteMissing = { max: '100%', confirm } as const;
  const dry = await sync(items(1), { deleteMissing, dryRun: true });
  const report = await sync(items(1), { deleteMissing });
  expect(report).toMatchObject({ unchanged: 1, deleted: 118 });
  const reason = 'the source does not confirm that it is gone';
  expect(report.kept.map((one) => [one.key, one.reason])).toEqual(
    ['S-1', 'S-100'].map((sku) => [sku, reason]),
  );
  expect(dry).toMatchObject(report);
  expect(asked).toEqual([99, 21, 99, 21]);
  expect(Object.keys(await catalogue())).toEqual(['S-0', 'S-1', 'S-100']);
});

it('A deletion of a sync spares what is created while the items are read, whatever a fast clock says', async () => {
  const { sync, client, network } = await shop(items(4));
  const { data } = await client.products.create(item('NEW'));
  network.alter = (response) => {
    const headers = new Headers(response.headers);
    headers.set('Date', new Date(Date.now() - 120_000).toUTCString());
    return new Response(response.body, { status: response.status, headers });
  };
  const report = await sync(items(4), { deleteMissing: true });
  expect(report).toMatchObject({ deleted: 0, kept: [{ id: data.id }] });
});

it('The deletions that a sync counts are only its own', async () => {
  const { sync, network, client } = await shop(items(5));
  const [last] = await all(client.products.list({ sku: 'S-4' }));
  const id = last?.id ?? '';
  let isGone = false;
  network.after = async ({ method, path }) => {
    if (isGone || method !== 'GET' || !path.endsWith(id)) return;
    isGone = true;
    await client.products.delete(id);
  };
  const report = await sync(items(3), { deleteMissing: { max: 2 } });
  expect(report).toEqual({ ...NOTHING, unchanged: 3, deleted: 1 });
});

it('The deletions that a sync counts are not those of what somebody else changed, and then deleted', async () => {
  const { sync, network, client } = await shop(items(4));
  const [last] = await all(client.products.list({ sku: 'S-3' }));
  const id = last?.id ?? '';
  const others = new Map<string, () => Promise<unknown>>([
    ['GET', () => client.products.update(id, { priceCents: 9 })],
    ['DELETE', () => client.products.delete(id)],
  ]);
  network.after = async ({ method, path }) => {
    const other = path.endsWith(id) ? others.get(method) : undefined;
    if (other === undefined) return;
    others.delete(method);
    await other();
  };
  // The precondition fails, and the next reading finds nothing.
  const report = await sync(items(3), { deleteMissing: true });
  expect(others.size).toBe(0);
  expect(report).toEqual({ ...NOTHING, unchanged: 3, deleted: 0 });
});

it('The deletions of a sync are not read more often than a request may be sent, and do not count what was never sent', async () => {
  const { sync, network, catalogue } = await shop(items(4));
  const refusals = Array.from({ length: 5 }, () => refusal(503));
  network.next('served', 'served', ...refusals);
  const options = { deleteMissing: true, tries: 2 };
  const error = await sync(items(3), options).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'SyncError', report: { ...NOTHING, unchanged: 3 } });
  expect(network.sent.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'GET']);
  expect(Object.keys(await catalogue())).toHaveLength(4);
});

it('A deletion of a sync that fails is followed by as long a wait as the service asks', async () => {
  const { sync, network } = await shop(items(4));
  network.next('served', 'served', 'served', refusal(503, { 'Retry-After': '1' }));
  expect(await sync(items(3), { deleteMissing: true })).toMatchObject({ deleted: 1 });
  const deletion = network.sent.findIndex(({ method }) => method === 'DELETE');
  const [first, second] = network.sent.slice(deletion).map(({ at }) => at);
  expect(Number(second) - Number(first)).toBeGreaterThanOrEqual(990);
});

it('The deletions of a sync leave a part of the limit of the key to other programs', async () => {
  const { sync, network } = await shop(items(24));
  await sync(items(12), { deleteMissing: { max: 12 } });
  const begun = network.sent
    .filter(({ method, path }) => method === 'GET' && !path.endsWith('/products'))
    .map(({ at }) => at);
  expect(begun).toHaveLength(12);
  // Two requests for each, of 1,000 in ten seconds: at most 800.
  expect(Math.max(...begun) - Math.min(...begun)).toBeGreaterThanOrEqual(11 * 24);
});

it('No deletion of a sync begins once one has failed', async () => {
  const { sync, network, catalogue } = await shop(items(24));
  network.next('served', 'served', refusal(403));
  const error = await sync(items(12), { deleteMissing: { max: 12 } }).catch(
    (reason: unknown) => reason,
  );
  const begun = network.sent.filter(
    ({ method, path }) => method === 'GET' && !path.endsWith('/products'),
  );
  // One alone, unless the refusal takes longer than the pause before the next one.
  expect(begun.length).toBeLessThan(6);
  expect(error).toMatchObject({ message: 'No.', report: { deleted: begun.length - 1 } });
  expect(Object.keys(await catalogue())).toHaveLength(24 - begun.length + 1);
});

it('A sync ends with an error if the source cannot confirm its deletions', async () => {
  const { sync, catalogue } = await shop(items(4));
  const failing = (): Promise<string[]> => Promise.reject(new Error('The store is down.'));
  const error = await sync(items(3), { deleteMissing: { confirm: failing } }).catch(
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ message: 'The store is down.', report: { deleted: 0 } });
  // oxlint-disable-next-line typescript/consistent-type-assertions -- as a program without types
  const confirm = (() => undefined) as unknown as () => string[];
  await expect(sync(items(3), { deleteMissing: { confirm } })).rejects.toThrow('a list of ids');
  expect(Object.keys(await catalogue())).toHaveLength(4);
});

it('The deletions of a sync are measured by what can be deleted: what has no key does not count', async () => {
  const { sync, client } = await shop(items(10));
  const keyless = Array.from({ length: 20 }, () => ({ title: 'No SKU', priceCents: 1 }));
  await client.products.createMany(keyless);
  const report = { ...NOTHING, unchanged: 1, unmatched: 20 };
  expect(await sync(items(1), { deleteMissing: true })).toEqual({
    ...report,
    withheld: 9,
    withheldBecause: 'limit',
  });
  expect(await sync(items(1), { deleteMissing: { max: '90%' } })).toEqual({
    ...report,
    deleted: 9,
  });
});

it('The deletions of a sync count what nobody can match, asked for or not', async () => {
  const { sync, client } = await shop(items(1));
  await client.products.create({ title: 'No SKU', priceCents: 1 });
  await client.products.create({ title: 'Of others', priceCents: 1, source: 'OTHER' });
  const owned = ({ source }: Product): boolean => source === 'API';
  for (const deleteMissing of [true, undefined]) {
    expect(await sync(items(1), { owned, deleteMissing })).toEqual({
      ...NOTHING,
      unchanged: 1,
      unmatched: 1,
    });
  }
});

// A rejection that nobody waits for would end the process, and with it this test.
it.each([
  ['a promise', () => Promise.resolve(false)],
  ['a promise that rejects', () => Promise.reject(new Error('The database is down.'))],
])('A deletion of a sync needs a plain answer from owned: not %s', async (_, answer) => {
  const { sync, network } = await shop(items(4));
  // oxlint-disable-next-line typescript/consistent-type-assertions -- as a program without types
  const owned = answer as unknown as () => boolean;
  const before = network.sent.length;
  await expect(sync(items(3, 9), { owned, deleteMissing: true })).rejects.toThrow(
    'Expected owned to be a function that returns a boolean',
  );
  expect(network.sent.slice(before).map(({ method }) => method)).toEqual(['GET']);
});

it.each<[WithheldBecause | undefined, readonly unknown[], string[]]>([
  ['doubts', [{}], ['It may be cut off.']],
  ['unclear', [{}], []],
  ['nothing-accepted', [{ sku: 'NOBODY' }], []],
  ['limit', [item('S-0')], []],
  [undefined, items(4), ['It may be cut off.']],
])(
  'The deletions of a sync are withheld for the first of several reasons: %s',
  async (because, list, doubts) => {
    const { sync, catalogue } = await shop(items(4));
    const report = await sync(list, { deleteMissing: { max: 0, doubts } });
    expect(report.withheldBecause).toBe(because);
    expect(Object.keys(await catalogue())).toHaveLength(4);
  },
);

it('The deletions of a sync are withheld if no item is accepted', async () => {
  const { sync, catalogue } = await shop(items(3));
  const error = { sku: 'rate_limited', message: 'Try later' };
  const report = await sync([error], { deleteMissing: { max: '100%' } });
  expect(report).toMatchObject({ deleted: 0, withheld: 3, refused: [{ key: 'rate_limited' }] });
  expect(Object.keys(await catalogue())).toHaveLength(3);
});

it('A deletion of a sync spares resources that share a key', async () => {
  const { sync, client, catalogue } = await shop([item('A')]);
  const twins = await client.products.createMany([item('T'), item('T'), item('U'), item('U')]);
  const report = await sync([item('A'), item('T', 7)], { deleteMissing: true });
  expect(report).toEqual({
    ...NOTHING,
    unchanged: 1,
    kept: twins.slice(2).map(({ id }) => ({
      id,
      key: 'U',
      reason: '2 resources have this sku',
    })),
    refused: [{ index: 1, key: 'T', ...refusedFor('sku', '2 products have the value "T"') }],
  });
  expect(await catalogue()).toEqual({ A: 1, T: 1, U: 1 });
});

it.each([
  ['the push', 'POST', 'after the items were read'],
  ['its reading', 'GET', 'during the sync'],
])(
  'A deletion of a sync spares a resource that is changed meanwhile: after %s',
  async (_, moment, when) => {
    const { sync, client, network, catalogue } = await shop([item('A'), item('X'), item('Y')]);
    const [, x] = await all(client.products.list());
    const id = x?.id ?? '';
    let isChanged = false;
    network.after = async ({ method, path }) => {
      if (isChanged || method !== moment || (moment === 'GET' && !path.endsWith(id))) return;
      isChanged = true;
      await client.products.update(id, { priceCents: 9 });
    };
    const report = await sync([item('A', 2)], { deleteMissing: { max: 2 } });
    expect(isChanged).toBe(true);
    expect(report).toMatchObject({ updated: 1, deleted: 1 });
    expect(report.kept).toEqual([{ id, key: 'X', reason: `it was changed ${when}` }]);
    expect(await catalogue()).toEqual({ A: 2, X: 9 });
  },
);

const before = [...items(6), item('GONE-1'), item('GONE-2')];
const wanted = [...items(5).slice(1), item('S-5', 9), item('S-0', 2), item('NEW')];
const expected = { 'S-0': 2, 'S-1': 1, 'S-2': 1, 'S-3': 1, 'S-4': 1, 'S-5': 9, NEW: 1 };

// What else leaves open whether a request took effect is proved in retries.test.ts.
it.each<[string, () => Delivery]>([
  ['an answer is lost', () => 'answer lost'],
  ['a gateway answers 404', () => new Response('No backend.', { status: 404 })],
])('A sync that is disturbed at any request ends the same when run again: %s', async (_, fault) => {
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

it('A sync reports what was done before a request failed', async () => {
  const { sync, network } = await shop(before);
  network.next('served', 'served', 'served', 'served', 'served', refusal(403));
  const error = await sync(wanted, { deleteMissing: true, tries: 1 }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SyncError);
  expect(error).toMatchObject({
    message: 'No.',
    report: { ...NOTHING, created: 1, updated: 2, unchanged: 4, deleted: 1 },
  });
});

it('A sync is aborted between two requests', async () => {
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

it.each(['the client', 'the call'])(
  'A sync is aborted within the list of the service by a signal, whatever that sends: of %s',
  async (whose) => {
    const controller = new AbortController();
    const { signal } = controller;
    const pieces = [new TextEncoder().encode('{"products":[')];
    const body = new ReadableStream<Uint8Array>(
      {
        pull(list) {
          const piece = pieces.shift();
          if (piece !== undefined) {
            list.enqueue(piece);
            return undefined;
          }
          controller.abort(new Error('Enough.'));
          return new Promise(() => undefined);
        },
      },
      { highWaterMark: 0 },
    );
    const { client } = connectNowhere(whose === 'the client' ? { signal } : {}, new Response(body));
    const options = { match: 'sku', tries: 1 } as const;
    const syncing = client.products.sync(
      [],
      whose === 'the call' ? { ...options, signal } : options,
    );
    await expect(syncing).rejects.toThrow('Enough.');
  },
  // Less than the limit for one response.
  10_000,
);

it.each(['item of the source', 'confirmation'])(
  'A sync is aborted while it waits for its source: for the next %s',
  async (awaited) => {
    const { sync } = await shop(items(4));
    const controller = new AbortController();
    const never = (): Promise<never> => {
      controller.abort(new Error('Enough.'));
      return new Promise(() => undefined);
    };
    const endless = { [Symbol.asyncIterator]: () => ({ next: never }) };
    const syncing = sync(awaited === 'confirmation' ? items(3) : endless, {
      signal: controller.signal,
      deleteMissing: { confirm: never },
    });
    await expect(syncing).rejects.toThrow('Enough.');
  },
  10_000,
);

it.each<[string, object]>([
  ['match to be', { match: '' }],
  ['the options to be known: there is no dryrun', { match: 'sku', dryrun: true }],
  ['max to be in deleteMissing', { match: 'sku', max: 1 }],
  ['confirm to be in deleteMissing', { match: 'sku', confirm: () => [] }],
  ['owned to be beside deleteMissing', { deleteMissing: { owned: () => true } }],
  ['owned to be', { match: 'sku', owned: 'all' }],
  ['colour, which keep names, to be one of title,', { keep: ['title', 'colour'] }],
  ['sku, which keep names, to be one of', { keep: ['sku'] }],
  ['keep to be a list', { keep: 'title' }],
  ['keepSpelling to be', { match: 'sku', keepSpelling: 'yes' }],
  ['deleteMissing to be', { match: 'sku', deleteMissing: 5 }],
  [
    'deleteMissing to be known: there is no maximum',
    { match: 'sku', deleteMissing: { maximum: 0 } },
  ],
  ['deleteMissing.max to be', { match: 'sku', deleteMissing: { max: '10' } }],
  ['deleteMissing.max to be', { match: 'sku', deleteMissing: { max: NaN } }],
  ['deleteMissing.readAt to be', { match: 'sku', deleteMissing: { readAt: new Date(NaN) } }],
  [
    'deleteMissing.readAt to be no later than the local time',
    { deleteMissing: { readAt: new Date(Date.now() + 86_400_000) } },
  ],
  ['deleteMissing.confirm to be', { deleteMissing: { confirm: 'ask' } }],
  ['deleteMissing.doubts to be', { deleteMissing: { doubts: 'It may be cut off.' } }],
])('A sync sends nothing if its options are wrong: it expected %s', async (problem, options) => {
  const { sync, network } = await shop();
  await expect(sync([], options)).rejects.toThrow(`Expected ${problem}`);
  expect(network.sent).toEqual([]);
});

it.each<[string, unknown]>([
  ['items to be an iterable', null],
  ['items to be an iterable', { products: [] }],
  [
    'item 1 to be JSON: TypeError: Do not know how to serialize a BigInt',
    [item('A'), { sku: 'B', priceCents: 1n }],
  ],
])(
  'A sync sends nothing if its items are none, and says what it expected: %s',
  async (problem, list) => {
    const { sync, network } = await shop();
    await expect(sync(list)).rejects.toThrow(`Expected ${problem}`);
    expect(network.sent).toEqual([]);
  },
);

it('A sync sends its requests no more often than it is told', async () => {
  let sent = 0;
  const offline = (): Promise<Response> => {
    sent++;
    return Promise.reject(new TypeError('fetch failed'));
  };
  const client = new BrandClient({ apiKey: 'key', baseUrl: 'http://localhost', fetch: offline });
  await expect(client.products.sync([], { match: 'sku', tries: 1 })).rejects.toThrow('not answer');
  expect(sent).toBe(1);
});

it('A sync reads a list that breaks off again, each time as one of its tries', async () => {
  const { sync, network } = await shop(before);
  network.next(refusal(503), 'body lost');
  expect(await sync(before, { tries: 3 })).toMatchObject({ unchanged: before.length });
  network.next(refusal(503), 'body lost', refusal(503));
  await expect(sync(before, { tries: 3 })).rejects.toThrow('No.');
  expect(network.sent).toHaveLength(6);
});

it('A sync reports its progress if nothing differs too', async () => {
  const { sync } = await shop(items(2));
  const progress: object[] = [];
  await sync(items(2), { onProgress: (one) => progress.push(one) });
  expect(progress).toEqual([{ done: 2, total: 2 }]);
});

it('A sync ends if a promise of onProgress rejects', async () => {
  const { sync, catalogue } = await shop(items(2));
  const onProgress = (): Promise<never> => Promise.reject(new Error('The log is full.'));
  const error = await sync(items(3), { onProgress }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'SyncError', message: 'The log is full.' });
  expect(Object.keys(await catalogue())).toHaveLength(2);
});

it('A sync writes nothing if its source fails midway', async () => {
  const { sync, network } = await shop(before);
  const source = function* source(): Generator<object> {
    yield item('NEW');
    throw new Error('The export ended early.');
  };
  await expect(sync(source(), { deleteMissing: true })).rejects.toThrow('ended early');
  expect(network.sent).toEqual([]);
});

it('A sync writes nothing if the list of the service is cut or another one', async () => {
  const { sync, network } = await shop(before);
  for (const text of ['{"products":[', '{"couponCodes":[]}', '<html>{}</html>', '[]', '']) {
    network.respond = ({ searchParams }) =>
      searchParams.size === 0 ? new Response(text) : undefined;
    await expect(sync(wanted, { deleteMissing: true })).rejects.toThrow('no complete list');
  }
  expect(network.sent.every(({ method }) => method === 'GET')).toBe(true);
});

it('A sync lets another one of the same list run at once', async () => {
  const { sync, catalogue } = await shop(before);
  await Promise.all([sync(wanted, { deleteMissing: true }), sync(wanted, { deleteMissing: true })]);
  await sync(wanted, { deleteMissing: true });
  expect(Object.keys(await catalogue()).sort()).toEqual(Object.keys(expected).sort());
});

it('A sync refuses only the item that has too many values', async () => {
  const { sync, catalogue } = await shop();
  const bad = { ...item('BAD'), extra: Array.from({ length: 1100 }, () => ({})) };
  const report = await sync([item('A'), bad, item('B')]);
  expect(report).toMatchObject({ created: 2, refused: [{ index: 1, key: 'BAD' }] });
  expect(await catalogue()).toEqual({ A: 1, B: 1 });
});
