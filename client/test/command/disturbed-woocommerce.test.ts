import fc from 'fast-check';
import { it } from 'vitest';
import type { AnyResource } from '../../src/stores/source.ts';
import type { Disturbance, DisturbedStore } from './disturbances.ts';
import { CODE_WORDS, expectNothingLost, PRODUCT_WORDS } from './disturbances.ts';
import { connectedStore } from './woocommerce-shop.ts';
import type { Asked, Fault, Row, StandIn, StandInOptions } from './woocommerce-stand-in.ts';
import {
  coupon,
  NO_WORD,
  product,
  unknown,
  variableProduct,
  variation,
} from './woocommerce-stand-in.ts';

/** Some of what is asked has another answer. */
interface Answered {
  readonly requests: string;
  readonly answer: Fault;
}

interface Own extends StandInOptions {
  /** Whether what is gone is in the trash. */
  readonly isTrash: boolean;
  /** Whether a search by ids or codes lacks what no list gives, so that each is asked for by its id alone. */
  readonly isHiddenFromSearch: boolean;
}

const REQUESTS: Readonly<Record<string, (asked: Asked) => boolean>> = {
  one: ({ path }) => /^\/(?:products|coupons)\/\d+$/.test(path),
  variations: ({ path }) => path.endsWith('/variations'),
  search: ({ query }) => query.has('include') || query.has('code'),
  list: ({ path, query }) => !path.endsWith('/variations') && query.has('page'),
};

/** All requests with all answers. @param other what an unknown id is of */
function faultsFor(requests: readonly string[], other: Parameters<typeof unknown>[0]): Answered[] {
  const answers = [...NO_WORD.map(([, answer]) => answer), unknown(other)];
  return requests.flatMap((each) => answers.map((answer) => ({ requests: each, answer })));
}

const REFUSED_SIZE: Fault = { status: 400, body: '{"code":"rest_invalid_param"}' };

const own: fc.Arbitrary<Own> = fc.record({
  hasAllVariations: fc.boolean(),
  isTrash: fc.boolean(),
  isHiddenFromSearch: fc.boolean(),
  pages: fc.option(
    fc.record({
      most: fc.constant(10),
      otherwise: fc.constantFrom('fewer' as const, 'cut' as const, REFUSED_SIZE),
    }),
    { nil: undefined, freq: 2 },
  ),
});

/** The fault of a night. */
class Faulty {
  hasFailed = false;
  #fault: Answered | null = null;

  readonly set = (fault: Answered | null): void => {
    this.#fault = fault;
    this.hasFailed = false;
  };

  answer(asked: Asked): Fault | undefined {
    const { requests = '', answer } = this.#fault ?? {};
    if (REQUESTS[requests]?.(asked) !== true) return undefined;
    // For others, there is another way to ask.
    if (requests === 'one' || requests === 'list') this.hasFailed = true;
    return answer;
  }
}

const LISTS = ['products', 'variations', 'coupons'] as const;

/** Begins a disturbance. @param ids those of the entries. Returns what the store has now. */
function disturb(
  store: StandIn,
  ids: readonly number[],
  how: Disturbance<Answered, Own>,
  { fault, change }: { readonly fault: Faulty; readonly change: Row },
): () => Row[] {
  const { hidden, isCounted, gone, seenBy, own } = how;
  const { isTrash, isHiddenFromSearch } = own;
  const idsOf = (entries: readonly number[]): Set<unknown> =>
    new Set(entries.map((one) => ids[one]));
  const [hiddenIds, goneIds] = [idsOf(hidden), idsOf(gone)];
  let count = 0;
  const isGone = (id: unknown): boolean => count > seenBy && goneIds.has(id);
  const now = (rows: readonly Row[]): Row[] =>
    rows.flatMap((row): Row[] => {
      const { id, variations, parent_id: parent } = row;
      const all: unknown[] = Array.isArray(variations) ? variations : [];
      const left = all.filter((one) => !isGone(one));
      // What is broken goes with its product: nothing names it any more.
      const isLost = store.broken.has(id) && isGone(parent);
      if (!isGone(id) && !isLost && (left.length > 0 || all.length === 0)) {
        return [{ ...row, ...change, ...(all.length > 0 && { variations: left }) }];
      }
      return isTrash ? [{ ...row, status: 'trash' }] : [];
    });
  const all = LISTS.map((list) => [list, store[list]] as const);
  if (isCounted) for (const id of hiddenIds) store.broken.add(id);
  store.onRequest = (asked) => {
    count++;
    const isSearch = isHiddenFromSearch && REQUESTS['search']?.(asked) === true;
    const lacks = !isCounted && (isSearch || asked.query.has('page'));
    for (const [list, rows] of all) {
      store[list] = now(rows).filter(({ id }) => !lacks || !hiddenIds.has(id));
    }
    return fault.answer(asked);
  };
  return () => all.flatMap(([, rows]) => now(rows)).filter(({ status }) => status !== 'trash');
}

/** Products, variations, and what these are of. */
const PRODUCTS = [1, 2, 3, 4, 5, 6, 7, 8, 101, 102, 201, 202, 100, 200];

async function products(how: Disturbance<Answered, Own>): Promise<DisturbedStore<Answered>> {
  const { store, client, sync, products: resources } = await connectedStore(how.own);
  store.products = [
    ...PRODUCTS.slice(0, 8).map((id) => product(id)),
    variableProduct(100, [101, 102]),
    variableProduct(200, [201, 202]),
  ];
  store.variations = PRODUCTS.slice(8, 12).map((id) =>
    variation(id, id < 200 ? 100 : 200, String(id)),
  );
  const isWhole = how.words.includes('first');
  const wholeOf = (id: unknown): string =>
    String(isWhole && Number(id) > 100 ? Math.floor(Number(id) / 100) * 100 : id);
  const fault = new Faulty();
  let now = (): Row[] => [];
  return {
    resources,
    sync,
    setFault: fault.set,
    hasFailed: () => fault.hasFailed,
    isShort: () => now().some(({ id }) => store.broken.has(id)),
    identityOf: ({ storeVariantId }) => wholeOf(storeVariantId),
    edit: async ({ id, storeVariantId: own }) => {
      if (how.gone.some((entry) => PRODUCTS[entry] === Number(own))) return;
      await client.products.update(id, { storeProductId: '99999' });
    },
    disturb: () => {
      now = disturb(store, PRODUCTS, how, { fault, change: { regular_price: '1.00' } });
    },
    isFresh: ({ priceCents }) => priceCents === 100,
    // Without its product, a variation is itself, or the one that stands for its product.
    there: () =>
      new Set(now().map(({ id }) => (id === 101 || id === 201 ? wholeOf(id) : String(id)))),
  };
}

const COUPONS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

async function coupons(how: Disturbance<Answered, Own>): Promise<DisturbedStore<Answered>> {
  const { store, client, sync, codes } = await connectedStore(how.own);
  // Customers can use all but the first, which no search by codes gives.
  store.coupons = COUPONS.map((id) => coupon(id, `c-${id}`, id === 1 ? { status: 'draft' } : {}));
  const isById = how.words.includes('storeDiscountId');
  const edit = ({ id, code }: AnyResource): Promise<unknown> | undefined =>
    client.couponCodes.update(
      id,
      isById ? { code: `edited-${String(code)}` } : { storeDiscountId: '99999' },
    );
  const fault = new Faulty();
  let now = (): Row[] => [];
  return {
    resources: codes,
    sync,
    setFault: fault.set,
    hasFailed: () => fault.hasFailed,
    isShort: () => now().some(({ id }) => store.broken.has(id)),
    identityOf: ({ storeDiscountId, code }) => String(isById ? storeDiscountId : code),
    // What no search gives, and what has another id, nobody could find.
    edit: async (one) => {
      if (isById || !(how.isCounted || how.own.isHiddenFromSearch || one['code'] === 'c-1'))
        await edit(one);
    },
    disturb: () => {
      now = disturb(store, COUPONS, how, { fault, change: { amount: '50.00' } });
    },
    isFresh: ({ discountPercent }) => discountPercent === 50,
    there: () => new Set(now().map(({ id, code }) => String(isById ? id : code))),
  };
}

it('A disturbed WooCommerce loses no product, and hides none', async () => {
  await expectNothingLost({
    words: PRODUCT_WORDS,
    entries: PRODUCTS.length,
    faults: faultsFor(Object.keys(REQUESTS), 'shop_coupon'),
    slowFaults: [],
    own,
    start: products,
  });
});

it('A disturbed WooCommerce loses no coupon, and hides none', async () => {
  await expectNothingLost({
    words: CODE_WORDS,
    entries: COUPONS.length,
    // An empty list is WooCommerce's own answer for an unknown code.
    faults: faultsFor(['one', 'search', 'list'], 'product').filter(
      ({ requests, answer }) => requests !== 'search' || answer.body !== '[]',
    ),
    slowFaults: [],
    own,
    start: coupons,
  });
});
