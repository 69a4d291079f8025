import type { Answer } from './brand.ts';

// What the service must hold and answer, told again in the plainest way: the contract for the fields that the fuzzer uses.

export type Fields = Readonly<Record<string, unknown>>;

/** What must come of a request: the status, and of a success what it shows, as far as the model knows it. */
export interface Expectation {
  readonly status: number;
  readonly shown?: Fields;
}

interface Collection {
  readonly required: readonly string[];
  readonly defaults: Fields;
  readonly nullable: ReadonlySet<string>;
  /** Whether a value that is not null is good. */
  readonly good: Readonly<Record<string, (value: unknown) => boolean>>;
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

function clean(value: string): string {
  return value.trim().normalize('NFC');
}

/** The fields of a body as they are to be stored; undefined where one of them breaks a rule. */
function read(collection: Collection, body: unknown, isPatch: boolean): Fields | undefined {
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

/** One brand as it must be. */
export class BrandModel {
  readonly profile: Record<string, unknown>;
  readonly resources: Record<Kind, Map<string, Fields>> = {
    products: new Map(),
    'coupon-codes': new Map(),
    widgets: new Map(),
  };

  constructor(brandName: string) {
    this.profile = { ...COLLECTIONS.profile.defaults, brandName };
  }

  create(kind: Kind, body: unknown): Expectation {
    const fields = read(COLLECTIONS[kind], body, false);
    if (fields === undefined) return { status: 400 };
    if (this.#isTaken(kind, fields, undefined)) return { status: 409 };
    return { status: 201, shown: fields };
  }

  created(kind: Kind, id: string, fields: Fields): void {
    this.resources[kind].set(id, fields);
  }

  change(kind: Kind, method: 'PUT' | 'PATCH', id: string, body: unknown): Expectation {
    const fields = read(COLLECTIONS[kind], body, method === 'PATCH');
    if (fields === undefined) return { status: 400 };
    const known = this.resources[kind].get(id);
    if (known === undefined) return { status: 404 };
    if (this.#isTaken(kind, fields, id)) return { status: 409 };
    const shown = { ...known, ...fields };
    this.resources[kind].set(id, shown);
    return { status: 200, shown };
  }

  find(kind: Kind, id: string): Expectation {
    const shown = this.resources[kind].get(id);
    return shown ? { status: 200, shown } : { status: 404 };
  }

  remove(kind: Kind, id: string): Expectation {
    return { status: this.resources[kind].delete(id) ? 200 : 404 };
  }

  changeProfile(method: 'PUT' | 'PATCH', brand: unknown): Expectation {
    const fields = read(COLLECTIONS.profile, brand, method === 'PATCH');
    if (fields === undefined) return { status: 400 };
    Object.assign(this.profile, fields);
    return { status: 200, shown: this.profile };
  }

  #isTaken(kind: Kind, fields: Fields, exceptId: string | undefined): boolean {
    const { unique }: Collection = COLLECTIONS[kind];
    const value = unique === undefined ? undefined : fields[unique];
    if (unique === undefined || typeof value !== 'string') return false;
    return [...this.resources[kind]].some(
      ([id, { [unique]: other }]) =>
        id !== exceptId && String(other).toLowerCase() === value.toLowerCase(),
    );
  }
}

/** Why an answer is not as it must be; undefined where it is. */
export function mismatch(
  { status, shown }: Expectation,
  answer: Answer,
  resource: unknown,
): string | undefined {
  const { text, body } = answer;
  if (answer.status !== status) return `${status} expected, got ${answer.status} ${text}`;
  if (status >= 400) {
    const isError = Object.keys(body).join() === 'error' && typeof body['error'] === 'string';
    return isError ? undefined : `no { error }: ${text}`;
  }
  const got: Fields = typeof resource === 'object' && resource !== null ? { ...resource } : {};
  const wrong = Object.entries(shown ?? {}).filter(([name, value]) => got[name] !== value);
  return wrong.length === 0 ? undefined : `${JSON.stringify(wrong)} expected, got ${text}`;
}
