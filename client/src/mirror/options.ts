import type { BrandClient } from '../index.ts';
import { expectOption } from '../options.ts';
import type {
  CouponCodeField,
  CouponCodeItem,
  CouponCodeKey,
  MirrorField,
  MirrorItem,
  MirrorKey,
} from './item.ts';
import type { Job, MirroredCollection, Side, StoreOf } from './job.ts';
import { STATE } from './state.ts';

/** The options of every mirror. */
export interface CommonOptions<I, F, K> {
  readonly store: StoreOf<I>;
  /** The fields that both sides keep, besides the key. */
  readonly fields: readonly F[];
  /** The field that identifies an item on both sides; by default `sku` of products, and `code` of coupon codes. */
  readonly key?: K | undefined;
  /** The state that the last run stored; undefined for the first run. */
  readonly state: string | undefined;
  /** Stores the state. It must replace the last one as a whole, even in a crash. */
  readonly persist: (state: string) => Promise<void>;
  /**
   * Called in each run for what cannot be copied: items that the service refuses, and items or resources of which several
   * have one key. They are tried again in the next run.
   */
  readonly report: (problem: string) => void;
  /** Whose items are right after a MirrorLossError. */
  readonly winner?: Side | undefined;
}

/** The options of a mirror of products. */
export interface MirrorOptions<
  F extends Exclude<MirrorField, K>,
  K extends MirrorKey = 'sku',
> extends CommonOptions<MirrorItem<F, NoInfer<K>>, F, K> {
  readonly products: BrandClient['products'];
}

/** The options of a mirror of coupon codes. */
export interface CouponCodeMirrorOptions<
  F extends Exclude<CouponCodeField, K>,
  K extends CouponCodeKey = 'code',
> extends CommonOptions<CouponCodeItem<F, NoInfer<K>>, F, K> {
  readonly couponCodes: BrandClient['couponCodes'];
}

/** The options of a mirror of either kind. */
export interface AnyOptions extends CommonOptions<object, string, string> {
  readonly products?: BrandClient['products'] | undefined;
  readonly couponCodes?: BrandClient['couponCodes'] | undefined;
}

/** What only the service sets. */
const NOT_COPIED: readonly unknown[] = ['id', 'createdAt', 'updatedAt'];

/** What a mirror copies: the client's collection, what its resources are called, and the fields that can be the key. */
const KINDS = {
  products: {
    nouns: 'products',
    keys: ['sku', 'storeProductId', 'storeVariantId', 'handle'],
  },
  couponCodes: { nouns: 'coupon codes', keys: ['code', 'storeDiscountId'] },
} as const;

const NAMES = ['products', 'couponCodes'] as const satisfies readonly (keyof typeof KINDS)[];

/** What a mirror copies, and the field that identifies it. */
type Kind = Pick<Job, 'collection' | 'nouns' | 'key'>;

/**
 * Checks the options of a mirror, before it reads anything: a wrong winner, for example, would overwrite the right side.
 * Returns what it copies.
 * @throws TypeError if one cannot be used
 */
export function checkMirrorOptions(options: AnyOptions): Kind {
  const { store, fields, persist, report } = options;
  const { state, winner }: { readonly state?: unknown; readonly winner?: unknown } = options;
  const given = NAMES.filter((one) => options[one] !== undefined);
  const name = given.at(-1) ?? 'products';
  const collection: unknown = options[name];
  const { nouns } = KINDS[name];
  const keys: readonly string[] = KINDS[name].keys;
  const { key = KINDS[name].keys[0] } = options;
  const rules: readonly (readonly [name: string, isRight: boolean, what: string])[] = [
    [given[0] ?? name, given.length <= 1, `left out beside ${name}`],
    [
      'store',
      hasFunctions(store, ['changes', 'save', 'remove']),
      'an object with the functions changes, save and remove',
    ],
    ['key', keys.includes(key), `one of ${keys.join(', ')}`],
    ['fields', areFields(fields, key), `a list of different fields of ${nouns}, without ${key}`],
    ['state', state === undefined || typeof state === 'string', STATE],
    ['persist', typeof persist === 'function', 'a function'],
    ['report', typeof report === 'function', 'a function'],
    [
      'winner',
      winner === undefined || winner === 'store' || winner === 'service',
      "'store' or 'service'",
    ],
  ];
  for (const [option, isRight, what] of rules) expectOption(isRight, option, what);
  expectOption(isCollection(collection), name, `the ${nouns} of a BrandClient`);
  return { collection, nouns, key };
}

/** Whether a value has what a mirror calls. Types cannot say it: `push` takes only its own fields to match by. */
function isCollection(value: unknown): value is MirroredCollection {
  return hasFunctions(value, ['changes', 'push', 'get']);
}

function hasFunctions(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return names.every((name) => typeof Reflect.get(value, name) === 'function');
}

function areFields(fields: unknown, key: string): boolean {
  if (!Array.isArray(fields) || fields.length === 0) return false;
  const names: readonly unknown[] = fields;
  return (
    new Set(names).size === names.length &&
    names.every(
      (name) =>
        typeof name === 'string' && name !== '' && name !== key && !NOT_COPIED.includes(name),
    )
  );
}
