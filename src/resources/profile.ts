import { sql } from 'drizzle-orm';
import { Hono } from 'hono';
import type { BrandSession } from '../db/brand-session.ts';
import type { Values } from '../db/columns.ts';
import { decode, encode } from '../db/columns.ts';
import { guardedUpdates, newRevision } from '../db/guarded-update.ts';
import type { Row, SqlValue } from '../db/statement.ts';
import { readingBrand, statement, writingBrand } from '../db/statement.ts';
import { brands as table } from '../db/tables.ts';
import { boolean } from '../fields/boolean.ts';
import { email, hostName, url } from '../fields/internet.ts';
import { cents, percent } from '../fields/number.ts';
import { partial, resource } from '../fields/schema.ts';
import { line, lines, oneOf } from '../fields/text.ts';
import { timestamp } from '../fields/timestamp.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { readJson, RESOURCE_LIMIT } from '../http/body.ts';
import { validate } from '../http/validation.ts';

const brand = {
  brandName: line(1, 255),
  cartMinimumCents: cents().default(0),
  contactName: line(1, 255).nullable().default(null),
  customerLtvCents: cents().default(0),
  description: lines(0, 5000).default(''),
  grossMarginPercent: percent(-1000, 100).nullable().default(null),
  logoUrl: url().nullable().default(null),
  supportEmail: email().nullable().default(null),
  website: url().nullable().default(null),
};

const connection = {
  lastDiscountsSyncAt: timestamp().nullable().default(null),
  lastProductsSyncAt: timestamp().nullable().default(null),
  lastSyncError: lines(1, 2000).nullable().default(null),
  status: oneOf('CONNECTED', 'PENDING', 'ERROR', 'DISCONNECTED').default('DISCONNECTED'),
  storeDomain: hostName().nullable().default(null),
  syncEnabled: boolean().default(false),
};

/** What a PUT must hold. */
export const fullProfile = resource({ brand: resource(brand), connection: resource(connection) });

/** What a PATCH may hold (RFC 7396, nested). */
export const profilePatch = partial({ brand: partial(brand), connection: partial(connection) });

const brandColumns = {
  brandName: table.brandName,
  cartMinimumCents: table.cartMinimumCents,
  contactName: table.contactName,
  customerLtvCents: table.customerLtvCents,
  description: table.description,
  grossMarginPercent: table.grossMarginPercent,
  logoUrl: table.logoUrl,
  supportEmail: table.supportEmail,
  website: table.website,
};

const shownBrandColumns = {
  ...brandColumns,
  createdAt: table.createdAt,
  updatedAt: table.updatedAt,
};

const connectionColumns = {
  lastDiscountsSyncAt: table.lastDiscountsSyncAt,
  lastProductsSyncAt: table.lastProductsSyncAt,
  lastSyncError: table.lastSyncError,
  status: table.connectionStatus,
  storeDomain: table.storeDomain,
  syncEnabled: table.syncEnabled,
};

const find = statement(sql`select * from ${table} where ${table.id} = ${readingBrand}`);
const update = guardedUpdates({ table, row: sql`${table.id} = ${writingBrand}` });

/** The three operations on the profile. */
export const profileRoutes = new Hono<ApiEnv>()
  .get('/', async (c) => {
    const [rows] = await c.var.session.run({ statement: find, values: {} });
    return c.json(represent(rows));
  })

  .put('/', async (c) => {
    const profile = validate(fullProfile, await readJson(c.req.raw, RESOURCE_LIMIT));
    return c.json(await change(c.var.session, profile));
  })

  .patch('/', async (c) => {
    const changes = validate(profilePatch, await readJson(c.req.raw, RESOURCE_LIMIT));
    return c.json(await change(c.var.session, changes));
  });

/**
 * The columns of the profile of a new brand: its name, and the default of everything else.
 * @throws InvalidRequest where the name is none
 */
export function encodeNewProfile(brandName: string): Record<string, SqlValue> {
  return encodeProfile(validate(fullProfile, { brand: { brandName }, connection: {} }));
}

/** A profile, or the parts of one to change. */
interface ProfileValues {
  readonly brand?: Values | undefined;
  readonly connection?: Values | undefined;
}

async function change(session: BrandSession, values: ProfileValues): Promise<ProfileValues> {
  const changes = {
    ...encode(brandColumns, values.brand ?? {}),
    ...encode(connectionColumns, values.connection ?? {}),
  };
  const rows = await session.run(...update(changes, { to: newRevision(), from: null }, {}), {
    statement: find,
    values: {},
  });
  return represent(rows.at(-1));
}

function encodeProfile({ brand = {}, connection = {} }: ProfileValues): Record<string, SqlValue> {
  return { ...encode(brandColumns, brand), ...encode(connectionColumns, connection) };
}

function represent(rows: readonly Row[] | undefined): Required<ProfileValues> {
  const [row] = rows ?? [];
  if (row === undefined) throw new Error('A live key has no brand.');
  return { brand: decode(shownBrandColumns, row), connection: decode(connectionColumns, row) };
}
