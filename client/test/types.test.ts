import { expectTypeOf, it } from 'vitest';
import type {
  BrandApiError,
  BrandClient,
  CouponCodeFilters,
  CouponCodeInput,
  CouponCodeMatch,
  Product,
  ProductFilters,
  ProductMatch,
  ProductPushItem,
  ProfileInput,
  Pushed,
  PushResult,
} from '../src/index.ts';

// What expectTypeOf states is held by `npm run types`, which reads this file.

it('The types of the client know the filters of each list, and hide paging', () => {
  expectTypeOf<{ syncStatus: 'SYNCED' }>().toExtend<ProductFilters>();
  expectTypeOf<{ sku: string[]; id: string }>().toExtend<ProductFilters>();
  expectTypeOf<{ syncStatus: 'LOST' }>().not.toExtend<ProductFilters>();
  expectTypeOf<CouponCodeFilters['active']>().toEqualTypeOf<
    boolean | readonly boolean[] | undefined
  >();
  expectTypeOf<'limit' | 'cursor' | 'since'>().not.toExtend<keyof CouponCodeFilters>();
  expectTypeOf<CouponCodeMatch>().toEqualTypeOf<'id' | 'code' | 'storeDiscountId'>();
});

it('The types of the client know what a dry run leaves open', () => {
  // Never called: a type parameter that is inferred is seen only in a call.
  const pushes = (client: BrandClient, dryRun: boolean): void => {
    const { products, couponCodes } = client;
    const by = { match: 'sku' } as const;
    const given = {
      done: products.push([{ sku: 'A' }], by),
      tried: products.push([{ sku: 'A' }], { ...by, dryRun: true }),
      either: products.push([{ sku: 'A' }], { ...by, dryRun }),
      codes: couponCodes.push([{ code: 'A' }], { match: 'code', dryRun: true }),
    };
    expectTypeOf(given).toEqualTypeOf<{
      done: Promise<PushResult<Product>[]>;
      tried: Promise<PushResult<Pushed>[]>;
      either: Promise<PushResult<Product | Pushed>[]>;
      codes: Promise<PushResult<Pushed>[]>;
    }>();
  };
  expectTypeOf(pushes).toBeFunction();
  type Done = Exclude<PushResult<Product>, { status: 'refused' }>;
  expectTypeOf<Exclude<Done, { status: 'unchanged' }>['id']>().toEqualTypeOf<string>();
  // A deletion that matches none is unchanged.
  expectTypeOf<Extract<Done, { status: 'unchanged' }>['id']>().toEqualTypeOf<string | null>();
  expectTypeOf<Pushed['id']>().toEqualTypeOf<string | null>();
});

it('The types of the client know what an item of a push may have', () => {
  const pushes = ({ products, couponCodes }: BrandClient): void => {
    const sku = 'A';
    const time = '2026-01-31T09:30:00Z';
    const by = { match: 'sku', ifNewer: true } as const;
    void products.push(
      [
        { sku, title: 'Rope', sourceUpdatedAt: time },
        { sku, deleted: true },
        { sku, deleted: true, sourceUpdatedAt: time },
      ],
      by,
    );
    // @ts-expect-error -- a deletion has no other fields
    void products.push([{ sku, deleted: true, title: 'Rope' }], by);
    const built: ProductPushItem<'sku'>[] = [{ sku, priceCents: 1 }];
    built.push({ sku, deleted: true });
    void products.push(built, by);
    // @ts-expect-error -- it has the field to match by
    void products.push([{ deleted: true }], by);
    // @ts-expect-error -- nothing but true deletes
    void products.push([{ sku, deleted: false }], by);
    const code = { code: 'SAVE10', deleted: true } as const;
    void couponCodes.push([code, { code: 'TEN', maxUses: 5 }], { match: 'code' });
    // @ts-expect-error -- a coupon code has no time of a change at the source
    void couponCodes.push([{ ...code, sourceUpdatedAt: time }], { match: 'code' });
    // @ts-expect-error -- so its events have no order
    void couponCodes.push([code], { match: 'code', ifNewer: true });
  };
  expectTypeOf(pushes).toBeFunction();
});

it('The types of the client know the words of errors', () => {
  expectTypeOf<'already-exists'>().toExtend<NonNullable<BrandApiError['code']>>();
  expectTypeOf<'alredy-exists'>().not.toExtend<NonNullable<BrandApiError['code']>>();
});

it('The types of the client let the field to match by be one of several, or of all', () => {
  const pushes = (
    { products }: BrandClient,
    match: ProductMatch,
    either: 'sku' | 'handle',
  ): void => {
    const some: ProductPushItem<'sku' | 'handle'>[] = [{ sku: 'A' }, { handle: 'b', title: 'B' }];
    void products.push(some, { match: either });
    const any: ProductPushItem<ProductMatch>[] = some;
    void products.push(any, { match });
    void products.sync([{ sku: 'A', title: 'A' }], { match });
    // @ts-expect-error -- it has none of them
    void products.push([{ title: 'A' }], { match });
  };
  expectTypeOf(pushes).toBeFunction();
});

it('The types of the client let a sync keep what it may write', () => {
  const syncs = ({ products, couponCodes }: BrandClient): void => {
    void products.sync([{ sku: 'A' }], { match: 'sku', keep: ['title', 'source'] });
    // @ts-expect-error -- nobody writes it
    void products.sync([{ sku: 'A' }], { match: 'sku', keep: ['id'] });
    // @ts-expect-error -- nobody writes it
    void couponCodes.sync([{ code: 'A' }], { match: 'code', keep: ['id'] });
    // @ts-expect-error -- a plan writes nothing by itself
    void products.plan([{ sku: 'A' }], { match: 'sku', dryRun: true });
  };
  expectTypeOf(syncs).toBeFunction();
});

it('The types of the client know what is required', () => {
  expectTypeOf<{ code: string }>().not.toExtend<CouponCodeInput>();
  expectTypeOf<{ brand: { brandName: string }; connection: object }>().toExtend<ProfileInput>();
  expectTypeOf<{ brand: { brandName: string } }>().not.toExtend<ProfileInput>();
});
