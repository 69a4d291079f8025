import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { Context } from 'hono';
import { Hono } from 'hono';
import * as z from 'zod/mini';
import type { Values } from '../db/columns.ts';
import { encode } from '../db/columns.ts';
import { assertMet, guardedUpdates, newRevision } from '../db/guarded-update.ts';
import { jsonObject, jsonOfColumns } from '../db/json.ts';
import type { Answer, BoundStatement, Row, SqlValue } from '../db/statement.ts';
import { answering, keyBrand, writingBrand } from '../db/statement.ts';
import { brands as table } from '../db/tables.ts';
import { boolean } from '../fields/boolean.ts';
import { email, hostName, url } from '../fields/internet.ts';
import { cents, percent } from '../fields/number.ts';
import { nullable, optional, partial, resource } from '../fields/schema.ts';
import { line, lines, oneOf } from '../fields/text.ts';
import { timestamp } from '../fields/timestamp.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { readJson, RESOURCE_LIMIT } from '../http/body.ts';
import { readPrecondition } from '../http/conditional.ts';
import { resourceResponse } from '../http/resource-response.ts';
import { validate } from '../http/validation.ts';
import { lazy } from '../lazy.ts';

/** The fields of the brand, with their rules and defaults. */
export const brandFields = lazy(() => ({
  brandName: line(1, 255),
  cartMinimumCents: optional(cents(), 0),
  contactName: nullable(line(1, 255)),
  customerLtvCents: optional(cents(), 0),
  description: optional(lines(0, 5000), ''),
  grossMarginPercent: nullable(percent(-1000, 100)),
  logoUrl: nullable(url()),
  supportEmail: nullable(email()),
  website: nullable(url()),
}));

/** The fields of the store connection, with their rules and defaults. */
export const connectionFields = lazy(() => ({
  lastDiscountsSyncAt: nullable(timestamp()),
  lastProductsSyncAt: nullable(timestamp()),
  lastSyncError: nullable(lines(1, 2000)),
  status: optional(oneOf('CONNECTED', 'PENDING', 'ERROR', 'DISCONNECTED'), 'DISCONNECTED'),
  storeDomain: nullable(hostName()),
  syncEnabled: optional(boolean(), false),
}));

/** What a PUT must hold. */
export const fullProfile = z.lazy(() =>
  resource({ brand: resource(brandFields()), connection: resource(connectionFields()) }),
);

/** What a PATCH may hold (RFC 7396, nested). */
export const profilePatch = z.lazy(() =>
  partial({ brand: partial(brandFields()), connection: partial(connectionFields()) }),
);

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

const json = (): SQL =>
  jsonObject({
    brand: jsonOfColumns(shownBrandColumns),
    connection: jsonOfColumns(connectionColumns),
  });
const find: BoundStatement<Answer> = {
  statement: answering(
    () => sql`${table.revision}, ${json()} as json`,
    sql`${table} on ${table.id} = ${keyBrand}`,
  ),
  values: {},
};
const update = guardedUpdates({ table, row: sql`${table.id} = ${writingBrand}` });

/** The three operations on the profile. */
export const profileRoutes = new Hono<ApiEnv>()
  .get('/', async (c) => {
    const { answer } = await c.var.session.run([], find);
    return profileResponse(c, answer);
  })

  .put('/', async (c) => {
    const { value } = await readJson(c.req.raw, RESOURCE_LIMIT);
    return profileResponse(c, await change(c, validate(fullProfile, value)));
  })

  .patch('/', async (c) => {
    const { value } = await readJson(c.req.raw, RESOURCE_LIMIT);
    return profileResponse(c, await change(c, validate(profilePatch, value)));
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

/**
 * Changes the fields that are named, or nothing where they are so already.
 * @throws PreconditionFailed
 */
async function change(c: Context<ApiEnv>, profile: ProfileValues): Promise<Row> {
  const change = {
    changes: encodeProfile(profile),
    revision: newRevision(),
    precondition: readPrecondition(c.req.raw.headers),
    values: {},
  };
  const { answer } = await c.var.session.run(update(change), find);
  assertMet(String(answer['revision']), change);
  return answer;
}

function encodeProfile({ brand = {}, connection = {} }: ProfileValues): Record<string, SqlValue> {
  return { ...encode(brandColumns, brand), ...encode(connectionColumns, connection) };
}

function profileResponse(c: Context<ApiEnv>, { json, revision }: Row): Response {
  if (revision === null) throw new Error('A live key has no brand.');
  return resourceResponse(c, String(json), String(revision));
}
