import { slugify } from '../../src/fields/slug.ts';

// The contract's rules for the fields that the fuzzer uses, told again in the plainest way.

export type Fields = Readonly<Record<string, unknown>>;

interface Collection {
  readonly required: readonly string[];
  readonly defaults: Fields;
  readonly nullable: ReadonlySet<string>;
  /** Whether a value that is not null is good. */
  readonly good: Readonly<Record<string, (value: unknown) => boolean>>;
  /** The fields by which a push finds resources, of those that the fuzzer uses. */
  readonly matches: readonly string[];
  readonly unique?: string;
}

const READ_ONLY = new Set(['id', 'createdAt', 'updatedAt']);

const isText =
  (min: number, max: number, forbidden = /\p{Cc}/u) =>
  (value: unknown): boolean =>
    typeof value === 'string' &&
    value.isWellFormed() &&
    Array.from(clean(value)).length >= min &&
    Array.from(clean(value)).length <= max &&
    !forbidden.test(clean(value));
const isLines = (min: number, max: number): ((value: unknown) => boolean) =>
  isText(min, max, /[^\P{Cc}\t\n\r]/u);
const isInteger =
  (min: number, max: number) =>
  (value: unknown): boolean =>
    Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
const isPercent = (value: unknown): boolean =>
  typeof value === 'number' && value >= 0 && value <= 100 && Number(value.toFixed(2)) === value;
const isOneOf =
  (...values: string[]) =>
  (value: unknown): boolean =>
    typeof value === 'string' && values.includes(clean(value));

export const COLLECTIONS = {
  products: {
    required: ['title', 'priceCents'],
    matches: ['id', 'sku', 'handle'],
    defaults: {
      sku: null,
      currencyCode: 'USD',
      discountPercent: 0,
      featured: false,
      serviceListingStatus: 'DRAFT',
      storeInventoryQuantity: 0,
      lastSyncError: null,
    },
    nullable: new Set(['sku', 'lastSyncError']),
    good: {
      title: isText(1, 255),
      priceCents: isInteger(0, 9_999_999_999),
      sku: isText(1, 255),
      handle: (value) => typeof value === 'string' && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(clean(value)),
      currencyCode: isOneOf('USD', 'EUR', 'JPY'),
      discountPercent: isPercent,
      featured: isBoolean,
      serviceListingStatus: isOneOf(
        'DRAFT',
        'PENDING_REVIEW',
        'LIVE',
        'PAUSED',
        'REJECTED',
        'ARCHIVED',
      ),
      storeInventoryQuantity: isInteger(-2_147_483_647, 2_147_483_647),
      lastSyncError: isLines(1, 2000),
    },
  },
  'coupon-codes': {
    required: ['code', 'discountPercent'],
    matches: ['id', 'code'],
    defaults: { active: true, currentUses: 0, maxUses: null, description: '', category: 'OTHER' },
    nullable: new Set(['maxUses']),
    good: {
      code: (value) => typeof value === 'string' && /^[!-~]{1,64}$/.test(clean(value)),
      discountPercent: (value) => isPercent(value) && Number(value) > 0,
      active: isBoolean,
      currentUses: isInteger(0, 2_147_483_647),
      maxUses: isInteger(1, 2_147_483_647),
      description: isLines(0, 1000),
      category: (value) => typeof value === 'string' && /^[A-Z][A-Z0-9_]{0,63}$/.test(clean(value)),
    },
    unique: 'code',
  },
  // Of the trial of a third collection.
  widgets: {
    required: ['name'],
    matches: ['id', 'name'],
    defaults: { size: 5, colour: null },
    nullable: new Set(['colour']),
    good: {
      name: isText(1, 20),
      size: isInteger(0, 2_147_483_647),
      colour: isText(1, 20),
    },
    unique: 'name',
  },
  profile: {
    required: ['brandName'],
    matches: [],
    defaults: { contactName: null, cartMinimumCents: 0, description: '' },
    nullable: new Set(['contactName']),
    good: {
      brandName: isText(1, 255),
      contactName: isText(1, 255),
      cartMinimumCents: isInteger(0, 9_999_999_999),
      description: isLines(0, 5000),
    },
  },
} satisfies Record<string, Collection>;

export type Kind = 'products' | 'coupon-codes' | 'widgets';

/** A text as it is stored. */
export function clean(value: string): string {
  return value.trim().normalize('NFC');
}

/** The fields of a body as they are to be stored; undefined where one of them breaks a rule. */
export function read(
  kind: keyof typeof COLLECTIONS,
  body: unknown,
  isPatch: boolean,
): Fields | undefined {
  const collection: Collection = COLLECTIONS[kind];
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const fields: Record<string, unknown> = isPatch ? {} : { ...collection.defaults };
  for (const [name, value] of Object.entries(body)) {
    if (READ_ONLY.has(name)) continue;
    const good = collection.good[name];
    if (good === undefined) return undefined;
    if (value === null ? !collection.nullable.has(name) : !good(value)) return undefined;
    fields[name] = typeof value === 'string' ? clean(value) : value;
  }
  const missing = collection.required.some((name) => !Object.hasOwn(fields, name));
  return missing && !isPatch ? undefined : fields;
}

/**
 * The fields of a new or replaced resource with the one default that follows from another field. Which text it is, its own
 * tests say; the model has to know whether it changes.
 */
export function withDerived(kind: Kind, fields: Fields, id: string): Fields {
  switch (kind) {
    case 'products':
      return { handle: slugify(String(fields['title'])) || id, ...fields };
    case 'widgets':
      return { label: fields['name'], ...fields };
    case 'coupon-codes':
      return fields;
  }
}

/** The field of a collection whose value only one resource has, if there is one. */
export function uniqueOf(kind: Kind): string | undefined {
  const { unique }: Collection = COLLECTIONS[kind];
  return unique;
}
