import { expect, it } from 'vitest';
import { all, NOTHING } from './outcomes.ts';
import { item, items } from './items.ts';
import { refusedFor, shop, textWith } from './synced-products.ts';

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
