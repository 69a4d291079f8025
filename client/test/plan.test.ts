import { expect, it } from 'vitest';
import type { Product, ProductPushItem } from '../src/index.ts';
import { BrandClient } from '../src/index.ts';
import { takeBrand } from '../../test/node/pool.ts';
import { item } from './items.ts';
import { all, NOTHING } from './outcomes.ts';

/** vitest declares it as `any`. */
const anything: unknown = expect.anything();

/** Creates a brand with products of its own. */
async function shop(...skus: readonly string[]): Promise<{
  readonly products: BrandClient['products'];
  readonly catalogue: () => Promise<Readonly<Record<string, number>>>;
  /** Pushes what somebody else changes. */
  readonly push: (...items: readonly ProductPushItem<'sku'>[]) => Promise<unknown>;
}> {
  const { products } = new BrandClient(await takeBrand());
  const push = async (...items: readonly ProductPushItem<'sku'>[]): Promise<unknown> =>
    products.push(items, { match: 'sku' });
  await push(...skus.map((sku) => item(sku)));
  const catalogue = async (): Promise<Readonly<Record<string, number>>> =>
    Object.fromEntries(
      (await all(products.list())).map(({ sku, id, priceCents }) => [sku ?? id, priceCents]),
    );
  return { products, catalogue, push };
}

const NO_LONGER = 'it is no longer as the plan has it';

it('A plan says what would be done, writes nothing, and does it once', async () => {
  const { products, catalogue } = await shop('A', 'B', 'X');
  const list = [item('A', 2), item('B'), item('N'), { ...item('BAD'), priceCents: -1 }];
  const options = { match: 'sku', deleteMissing: true } as const;
  const { execute, ...plan } = await products.plan(list, options);
  const dry = await products.sync(list, { ...options, dryRun: true });
  expect(plan).toEqual(dry);
  expect(plan.changes.map(({ action, key }) => [action, key])).toEqual([
    ['update', 'A'],
    ['create', 'N'],
    ['delete', 'X'],
  ]);
  expect(await catalogue()).toEqual({ A: 1, B: 1, X: 1 });
  const { changes: _, ...report } = dry;
  expect(await execute()).toEqual(report);
  expect(await catalogue()).toEqual({ A: 2, B: 1, N: 1 });
  await expect(execute()).rejects.toThrow('Expected a plan to be executed once');
});

it('A plan leaves alone what somebody has changed since, and writes nothing that it does not have', async () => {
  const { products, catalogue, push } = await shop('A', 'B', 'C', 'X', 'Y');
  const list = [item('A', 2), item('B', 2), item('C'), item('N', 2), item('M', 2)];
  const plan = await products.plan(list, { match: 'sku', deleteMissing: { max: 2 } });
  await push(item('A', 9), item('C', 9), item('N', 9), item('X', 9));
  const report = await plan.execute();
  const refused = [
    [0, 'A'],
    [2, 'C'],
    [3, 'N'],
  ].map(([index, key]) => ({
    index,
    key,
    error: NO_LONGER,
    problems: [{ path: '', message: NO_LONGER }],
  }));
  const kept = [
    {
      id: anything,
      key: 'X',
      reason: 'it was changed after the items were read',
    },
  ];
  expect(report).toEqual({ ...NOTHING, created: 1, updated: 1, deleted: 1, kept, refused });
  expect(await catalogue()).toEqual({ A: 9, B: 2, C: 9, X: 9, N: 9, M: 2 });
});

it('A plan does not create again what somebody has deleted since', async () => {
  const { products, catalogue, push } = await shop('A', 'B');
  const plan = await products.plan([item('A', 2), item('B')], { match: 'sku' });
  await push({ sku: 'A', deleted: true });
  await push({ sku: 'B', deleted: true });
  const { created, refused } = await plan.execute();
  expect([created, refused.map(({ key }) => key)]).toEqual([0, ['A', 'B']]);
  expect(await catalogue()).toEqual({});
});

it('A plan counts what somebody else has done already', async () => {
  const { products, push } = await shop('A', 'X');
  const plan = await products.plan([item('A', 2), item('N')], {
    match: 'sku',
    deleteMissing: true,
  });
  await push(item('A', 2), item('N'), { sku: 'X', deleted: true });
  expect(await plan.execute()).toEqual({ ...NOTHING, unchanged: 2 });
});

it('A plan asks again which resources are gone, and deletes none that it keeps or withholds', async () => {
  const { products, catalogue } = await shop('A', 'B', 'C', 'D', 'E', 'X', 'Y', 'Z');
  const list = ['A', 'B', 'C', 'D', 'E'].map((sku) => item(sku));
  const answers = [
    ['X', 'Y'],
    ['Y', 'Z'],
  ];
  const asked: string[][] = [];
  const confirm = (resources: readonly Product[]): string[] => {
    asked.push(resources.map(({ sku }) => sku ?? ''));
    const gone = answers.shift() ?? [];
    return resources.flatMap(({ id, sku }) => (gone.includes(sku ?? '') ? [id] : []));
  };
  const plan = await products.plan(list, { match: 'sku', deleteMissing: { confirm } });
  expect([plan.deleted, plan.kept.map(({ key }) => key)]).toEqual([2, ['Z']]);
  const { deleted, kept } = await plan.execute();
  expect([deleted, kept.map(({ key }) => key)]).toEqual([1, ['Z', 'X']]);
  expect(asked).toEqual([
    ['X', 'Y', 'Z'],
    ['X', 'Y'],
  ]);
  expect(Object.keys(await catalogue())).toEqual(['A', 'B', 'C', 'D', 'E', 'X', 'Z']);

  const strict = await products.plan(list, { match: 'sku', deleteMissing: { max: 1 } });
  expect(strict).toMatchObject({ withheld: 2, withheldBecause: 'limit' });
  await products.delete(plan.kept[0]?.id ?? '');
  expect(await strict.execute()).toMatchObject({ deleted: 0, withheldBecause: 'limit' });
});

it('A plan does not write what its trial refused', async () => {
  const { couponCodes } = new BrandClient(await takeBrand());
  const { data } = await couponCodes.create({ code: 'TAKEN', discountPercent: 5 });
  const list = [{ storeDiscountId: '1', code: 'taken', discountPercent: 5 }];
  const plan = await couponCodes.plan(list, { match: 'storeDiscountId' });
  expect(plan).toMatchObject({ created: 0, refused: [{ index: 0, key: '1' }] });
  await couponCodes.delete(data.id);
  expect(await plan.execute()).toMatchObject({ created: 0, refused: plan.refused });
  expect(await all(couponCodes.list())).toEqual([]);
});

it('A plan is not made of a dry run', async () => {
  const { products } = await shop();
  const options = { match: 'sku', dryRun: true } as const;
  // A variable may have more members than its type.
  await expect(products.plan([], options)).rejects.toThrow('Expected dryRun to be absent');
});
