import fc from 'fast-check';
import { it } from 'vitest';
import type { AnyResource } from '../../src/stores/source.ts';
import type { Disturbance, DisturbedStore } from './disturbances.ts';
import { CODE_WORDS, expectNothingLost, PRODUCT_WORDS } from './disturbances.ts';
import type { ShopDiscount, ShopProduct } from './shopify/catalogue.ts';
import { code, onlyVariant, percentage, product, variant } from './shopify/catalogue.ts';
import { isJson } from './shopify/execute.ts';
import { shopAndBrand } from './shopify/shop-and-brand.ts';
import type { Faults, ShopAnswer, ShopRequest, StandIn } from './shopify/stand-in.ts';

interface Own {
  /** How many objects of a list a bulk operation gives; the rest is read page by page. */
  readonly listLimit: number;
}

const own: fc.Arbitrary<Own> = fc.record({ listLimit: fc.constantFrom(1, 2, 250) });

function data(members: unknown): ShopAnswer {
  return { status: 200, body: { data: members } };
}

const NOTHING_MORE = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };
const MORE_WITHOUT_PLACE = { nodes: [], pageInfo: { hasNextPage: true, endCursor: null } };

/** Answers that say nothing of what was asked for. */
const NO_WORD: readonly ShopAnswer[] = [
  { status: 401, body: { errors: 'Invalid API key' } },
  { status: 403, body: '<html>' },
  { status: 404, body: '<html>' },
  { status: 200, body: '<html>' },
  { status: 200, body: '' },
  { status: 200, body: [] },
  { status: 200, body: {} },
  { status: 200, body: { errors: 'maintenance' } },
  { status: 200, body: { data: null, errors: [{ message: 'x' }] } },
  data({}),
  data({ nodes: null }),
  data({ nodes: [] }),
  data({ nodes: [null, { id: 'gid://shopify/ProductVariant/1' }] }),
  data({ nodes: [{}], c0: {} }),
  data({ node: {} }),
  ...[NOTHING_MORE, MORE_WITHOUT_PLACE].flatMap((list) => [
    data({ node: { variants: list } }),
    data({ node: { discount: { codes: list } } }),
  ]),
  data({ bulkOperationRunQuery: { bulkOperation: null, userErrors: [] } }),
];

/** What is asked for, by its name, is null beside an error: Shopify had no time for it. */
function partial({ body }: ShopRequest): ShopAnswer {
  const sent: unknown = JSON.parse(body);
  const variables = isJson(sent) && isJson(sent['variables']) ? sent['variables'] : {};
  const { ids, ...others } = variables;
  const nulls = Object.fromEntries(Object.keys(others).map((name) => [name, null]));
  const nodes = Array.isArray(ids) ? ids.map(() => null) : null;
  const errors = [{ message: 'x', extensions: { code: 'ACCESS_DENIED' } }];
  return { status: 200, body: { data: { ...nulls, node: null, nodes }, errors } };
}

const ANSWERS: readonly ((request: ShopRequest) => ShopAnswer)[] = [
  ...NO_WORD.map((answer) => () => answer),
  partial,
];

/** What goes wrong in a night, and whether it may be good all the same. */
interface Fault {
  readonly faults: Faults;
  readonly passes?: true;
}

const OF_BULK: readonly Fault[] = [
  { faults: { end: { status: 'FAILED', errorCode: 'INTERNAL_SERVER_ERROR', url: null } } },
  { faults: { end: { status: 'CANCELED', url: null } } },
  { faults: { end: { partialDataUrl: 'http://127.0.0.1/', url: null } } },
  { faults: { end: { partialDataUrl: 'http://127.0.0.1/' } } },
  { faults: { end: { url: null } } },
  { faults: { end: { objectCount: '0' } } },
];

/** Each try to read a file again takes a while, and so does each pause. */
const SLOW: readonly Fault[] = [
  { faults: { file: (lines) => lines.slice(0, -1) } },
  { faults: { sent: (text) => text.slice(0, -9) } },
  { faults: { throttled: 1 }, passes: true },
  { faults: { busy: 1 }, passes: true },
];

/** All answers to each of these operations, and some to those with which each night begins. */
function faultsFor(...names: readonly string[]): Fault[] {
  const answered = (name: string, answer: (request: ShopRequest) => ShopAnswer): Fault => ({
    faults: { answer: (request) => (request.name === name ? answer(request) : undefined) },
  });
  return [
    ...names.flatMap((name) => ANSWERS.map((answer) => answered(name, answer))),
    ...['AboutShop', 'Start'].flatMap((name) =>
      [...ANSWERS.slice(0, 3), partial].map((answer) => answered(name, answer)),
    ),
    ...OF_BULK,
  ];
}

/** A shop whose lists and answers are disturbed. */
class DisturbedShop {
  hasFailed = false;
  readonly #shop: StandIn;
  #began: Faults = {};

  constructor(shop: StandIn, { own: { listLimit } }: Disturbance<Fault, Own>) {
    this.#shop = shop;
    Object.assign(shop, { showings: 0, listLimit });
  }

  /** @param remove takes what is gone out of the shop */
  begin(
    ids: readonly string[],
    { hidden, isCounted, gone, seenBy }: Disturbance<Fault, Own>,
    remove: (isGone: (id: string) => boolean) => void,
  ): void {
    const idsOf = (entries: readonly number[]): Set<string> =>
      new Set(entries.flatMap((one) => ids[one] ?? []));
    const goneIds = idsOf(gone);
    let count = 0;
    this.#began = {
      hidden: idsOf(hidden),
      isUncounted: !isCounted,
      answer: () => {
        if (count++ === seenBy) remove((id) => goneIds.has(id));
        return undefined;
      },
    };
  }

  /** Whether it counts one of these and does not give it. */
  isShort(there: readonly { readonly id: string }[]): boolean {
    const { hidden, isUncounted } = this.#began;
    return isUncounted === false && there.some(({ id }) => hidden?.has(id));
  }

  readonly setFault = (fault: Fault | null): void => {
    const { faults } = this.#shop;
    for (const name of Object.keys(faults)) Reflect.deleteProperty(faults, name);
    Object.assign(faults, fault?.faults, this.#began);
    const answered = fault?.faults.answer;
    this.hasFailed = fault !== null && fault.passes !== true && answered === undefined;
    faults.answer = (request) => {
      this.#began.answer?.(request);
      const answer = answered?.(request);
      if (answer !== undefined) this.hasFailed = true;
      return answer;
    };
  };
}

async function products(how: Disturbance<Fault, Own>): Promise<DisturbedStore<Fault>> {
  const { shop, client, sync, products: resources } = await shopAndBrand();
  const disturbed = new DisturbedShop(shop, how);
  const single = [1, 2, 3, 4, 5].map((number) =>
    product(`Mug ${number}`, [onlyVariant({ sku: `M-${number}` })]),
  );
  const family = (name: string, ...sizes: readonly string[]): ShopProduct =>
    product(
      name,
      sizes.map((size) => variant([size], { sku: `${name}-${size}` })),
    );
  const all = shop.catalogue.products;
  all.splice(0, Infinity, ...single, family('Shirt', 'S', 'M', 'L'), family('Sock', '38', '39'));
  const productsOf = new Map(all.flatMap((one) => one.variants.map(({ id }) => [id, one.id])));
  const ids = [...productsOf.keys()];
  const isWhole = how.words.includes('first');
  const wholeOf = (id: unknown): string => (isWhole && productsOf.get(String(id))) || String(id);
  return {
    resources,
    sync,
    setFault: disturbed.setFault,
    hasFailed: () => disturbed.hasFailed,
    isShort: () => disturbed.isShort(all.flatMap(({ variants }) => variants)),
    identityOf: ({ storeVariantId }) => wholeOf(storeVariantId),
    edit: async ({ id, storeVariantId: own }) => {
      if (how.gone.some((entry) => ids[entry] === own)) return;
      await client.products.update(id, { storeProductId: 'gid://shopify/Product/1' });
    },
    disturb: () => {
      for (const one of all.flatMap(({ variants }) => variants)) one.price = '1.00';
      disturbed.begin(ids, how, (isGone) => {
        for (const one of all) one.variants = one.variants.filter(({ id }) => !isGone(id));
        const left = all.filter(({ variants }) => variants.length > 0);
        all.splice(0, Infinity, ...left);
      });
    },
    isFresh: ({ priceCents }) => priceCents === 100,
    there: () => new Set(all.flatMap(({ variants }) => variants.map(({ id }) => wholeOf(id)))),
  };
}

async function codes(how: Disturbance<Fault, Own>): Promise<DisturbedStore<Fault>> {
  const { shop, client, sync, codes: resources } = await shopAndBrand();
  const disturbed = new DisturbedShop(shop, how);
  const isById = how.words.includes('storeDiscountId');
  const all = shop.catalogue.discounts;
  const single = [1, 2, 3, 4, 5, 6].map((number) => percentage(0.1, [code(`ONE-${number}`)]));
  const team = percentage(0.1, [code('TEAM-A'), code('TEAM-B'), code('TEAM-C')]);
  all.splice(0, Infinity, ...single, ...(isById ? [] : [team]));
  const codesOf = ({ discount }: ShopDiscount): { id: string }[] => discount.codes ?? [];
  const ids = all.flatMap(codesOf).map(({ id }) => id);
  const identitiesOf = (one: ShopDiscount): string[] =>
    isById
      ? [one.id.replace('DiscountNode', 'DiscountCodeNode')]
      : codesOf(one).map((each) => String(Reflect.get(each, 'code')));
  return {
    resources,
    sync,
    setFault: disturbed.setFault,
    hasFailed: () => disturbed.hasFailed,
    isShort: () => disturbed.isShort(all.flatMap(codesOf)),
    identityOf: ({ storeDiscountId, code: text }) => String(isById ? storeDiscountId : text),
    edit: ({ id, code: text }: AnyResource) =>
      client.couponCodes.update(
        id,
        isById
          ? { code: `EDITED-${String(text)}` }
          : { storeDiscountId: 'gid://shopify/DiscountCodeNode/1' },
      ),
    disturb: () => {
      for (const { discount } of all) {
        discount['customerGets'] = { value: { __typename: 'DiscountPercentage', percentage: 0.5 } };
      }
      disturbed.begin(ids, how, (isGone) => {
        for (const { discount } of all) {
          discount.codes = discount.codes?.filter(({ id }) => !isGone(id)) ?? [];
        }
        const left = all.filter((one) => codesOf(one).length > 0);
        all.splice(0, Infinity, ...left);
      });
    },
    isFresh: ({ discountPercent }) => discountPercent === 50,
    there: () => new Set(all.flatMap(identitiesOf)),
  };
}

it('A disturbed Shopify loses no variant, and hides none', async () => {
  await expectNothingLost({
    words: PRODUCT_WORDS,
    entries: 10,
    faults: faultsFor('Variants', 'Nodes'),
    slowFaults: SLOW,
    own,
    start: products,
  });
});

it('A disturbed Shopify loses no code, and hides none', async () => {
  await expectNothingLost({
    words: CODE_WORDS,
    entries: 9,
    faults: faultsFor('Codes', 'Nodes', 'DiscountsByCode'),
    slowFaults: SLOW,
    own,
    start: codes,
  });
});
