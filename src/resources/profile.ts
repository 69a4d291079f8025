import { getTableColumns } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Columns, Values } from '../db/columns.ts';
import { columnsOf, decode } from '../db/columns.ts';
import { brands as table } from '../db/tables.ts';
import { email, hostName, url } from '../fields/internet.ts';
import { boolean, cents, percent } from '../fields/scalars.ts';
import type { Shape } from '../fields/schema.ts';
import { patchBody, resource, wholeBody } from '../fields/schema.ts';
import { multiLineText, oneOf, singleLineText } from '../fields/text.ts';
import { timestamp } from '../fields/timestamp.ts';

// The comments of the fields are data: `npm run openapi` puts them into the documents, with each `@example`.
const halves = {
  /** The brand that the API key belongs to. */
  brand: {
    fields: {
      /** The name of the brand that customers see. @example "Northwind Nutrition" */
      brandName: singleLineText(1, 255),
      /**
       * The least that an order must come to, in the minor unit of its currency. 0 means that there is no minimum.
       * @example 2500
       */
      cartMinimumCents: cents(),
      /** The person whom the service contacts about the brand. @example "Ada Berg" */
      contactName: z.nullable(singleLineText(1, 255)),
      /**
       * The lifetime value: what an average customer spends with the brand over the years, in the minor unit of the
       * currency. The brand estimates it.
       * @example 18400
       */
      customerLtvCents: cents(),
      /**
       * The text about the brand that customers read.
       * @example "Supplements for people who train outdoors."
       */
      description: multiLineText(0, 5000),
      /**
       * The gross margin of the brand over all of its products. It is negative if the brand sells at a loss.
       * @example 62.5
       */
      grossMarginPercent: z.nullable(percent(-1000, 100)),
      /** The address of the brand's logo. @example "https://northwind.example/logo.png" */
      logoUrl: z.nullable(url()),
      /** The address to which customers write for help. @example "support@northwind.example" */
      supportEmail: z.nullable(email()),
      /** The address of the brand's own website. @example "https://northwind.example" */
      website: z.nullable(url()),
    },
    defaults: {
      cartMinimumCents: 0,
      contactName: null,
      customerLtvCents: 0,
      description: '',
      grossMarginPercent: null,
      logoUrl: null,
      supportEmail: null,
      website: null,
    },
  },
  /** The state of the brand's connection to its store platform. */
  connection: {
    fields: {
      /**
       * When the integration last finished a sync of the coupon codes.
       * @example "2026-01-31T09:15:00.000Z"
       */
      lastDiscountsSyncAt: z.nullable(timestamp()),
      /**
       * When the integration last finished a sync of the products.
       * @example "2026-01-31T09:30:00.000Z"
       */
      lastProductsSyncAt: z.nullable(timestamp()),
      /** Why the last sync failed. It is null if the last sync succeeded. @example null */
      lastSyncError: z.nullable(multiLineText(1, 2000)),
      /**
       * Whether the service is connected to the store platform. The integration sets it.
       * @example "CONNECTED"
       */
      status: oneOf(...table.status.enumValues),
      /** The domain of the connected store. @example "northwind.example" */
      storeDomain: z.nullable(hostName()),
      /**
       * Whether products and coupon codes are to be kept in sync with the store platform.
       * @example true
       */
      syncEnabled: boolean(),
    },
    defaults: {
      lastDiscountsSyncAt: null,
      lastProductsSyncAt: null,
      lastSyncError: null,
      status: 'DISCONNECTED',
      storeDomain: null,
      syncEnabled: false,
    },
  },
};

const { brand, connection } = halves;
const columns = getTableColumns(table);
const brandColumns = columnsOf(brand.fields, columns);
const connectionColumns = columnsOf(connection.fields, columns);
const { createdAt, updatedAt } = table;
const visibleBrand = { ...brandColumns, createdAt, updatedAt };
const writable = { ...brandColumns, ...connectionColumns };
const visible: Columns = { ...visibleBrand, ...connectionColumns };

/** The schema of a half in a PUT, which resets what it leaves out. */
function wholeHalf({
  fields,
  defaults,
}: {
  fields: Shape;
  defaults: Values;
}): z.ZodMiniType<Values> {
  return z.pipe(
    wholeBody(fields, Object.keys(defaults)),
    z.transform((sent) => ({ ...defaults, ...sent })),
  );
}

/** The values of a profile, or the values to change. */
export interface ProfileValues {
  readonly brand?: Values | undefined;
  readonly connection?: Values | undefined;
}

const bodies: Readonly<Record<'putBody' | 'patchBody', z.ZodMiniType<ProfileValues>>> = {
  putBody: resource({ brand: wholeHalf(brand), connection: wholeHalf(connection) }),
  /** Nested (RFC 7396). */
  patchBody: patchBody({
    brand: patchBody(brand.fields),
    connection: patchBody(connection.fields),
  }),
};

/**
 * The profile: the brand that a key belongs to, and the state of its store connection. No field is in both halves: a row
 * has one value for each name.
 */
export const profile = {
  ...halves,
  writable,
  visible,
  ...bodies,
  /** Returns the profile in a row of `visible`. */
  fromRow: (row: object): Readonly<Record<keyof ProfileValues, Values>> => ({
    brand: decode(visibleBrand, row),
    connection: decode(connectionColumns, row),
  }),
};
