import type { BrandClient } from '../index.ts';
import { expectOption } from '../options.ts';
import type { MirrorField } from './item.ts';
import type { MirroredStore, Side } from './job.ts';
import { STATE } from './state.ts';

/** The options of a mirror. */
export interface MirrorOptions<F extends MirrorField> {
  readonly products: BrandClient['products'];
  readonly store: MirroredStore<F>;
  /** The fields that both sides keep, besides the SKU. */
  readonly fields: readonly F[];
  /** The state that the last run stored; undefined for the first run. */
  readonly state: string | undefined;
  /** Stores the state. It must replace the last one as a whole, even in a crash. */
  readonly persist: (state: string) => Promise<void>;
  /**
   * Called in each run for what cannot be copied: items that the service refuses, and items or products of which several
   * have one SKU. They are tried again in the next run.
   */
  readonly report: (problem: string) => void;
  /** Whose products are right after a MirrorLossError. */
  readonly winner?: Side | undefined;
}

/** What a product has besides the fields that a mirror can copy. */
const NOT_COPIED: readonly unknown[] = ['id', 'sku', 'createdAt', 'updatedAt'];

/**
 * Checks the options of a mirror, before it reads anything: a wrong winner, for example, would overwrite the right side.
 * @throws TypeError if one cannot be used
 */
export function checkMirrorOptions(options: MirrorOptions<MirrorField>): void {
  const { products, store, fields, persist, report } = options;
  const { state, winner }: { readonly state?: unknown; readonly winner?: unknown } = options;
  const rules: readonly (readonly [name: string, isRight: boolean, what: string])[] = [
    [
      'products',
      hasFunctions(products, ['changes', 'push', 'get', 'delete']),
      'the products of a BrandClient',
    ],
    [
      'store',
      hasFunctions(store, ['changes', 'save', 'remove']),
      'an object with the functions changes, save and remove',
    ],
    ['fields', areFields(fields), 'a list of different fields of a product, without sku'],
    ['state', state === undefined || typeof state === 'string', STATE],
    ['persist', typeof persist === 'function', 'a function'],
    ['report', typeof report === 'function', 'a function'],
    [
      'winner',
      winner === undefined || winner === 'store' || winner === 'service',
      "'store' or 'service'",
    ],
  ];
  for (const [name, isRight, what] of rules) expectOption(isRight, name, what);
}

function hasFunctions(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return names.every((name) => typeof Reflect.get(value, name) === 'function');
}

function areFields(fields: unknown): boolean {
  if (!Array.isArray(fields) || fields.length === 0) return false;
  const names: readonly unknown[] = fields;
  return (
    new Set(names).size === names.length &&
    names.every((name) => typeof name === 'string' && name !== '' && !NOT_COPIED.includes(name))
  );
}
