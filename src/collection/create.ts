import * as z from 'zod/mini';
import type { BrandSession } from '../db/brand-session.ts';
import type { Values } from '../db/columns.ts';
import { encode } from '../db/columns.ts';
import { WRITE_TIME } from '../db/guarded-update.ts';
import type { BoundStatement, Row, SqlValue } from '../db/statement.ts';
import { AlreadyExists, IdempotencyKeyReused, PayloadTooLarge, Unavailable } from '../errors.ts';
import { RESOURCE_LIMIT } from '../http/body.ts';
import type { Idempotency } from '../http/idempotency.ts';
import type { Collection, Completion } from './collection.ts';
import { lazy } from '../lazy.ts';
import { newId } from './identifier.ts';
import type { Stored } from './representation.ts';
import { represent } from './representation.ts';
import type { CollectionStatements, CreateStatements } from './statements.ts';

/** The resources that a POST made, or that an earlier one with the same key had made. */
export interface Created {
  readonly resources: readonly Stored[];
  readonly replayed: boolean;
}

/** UTF-16 units in one JSON parameter: in UTF-8 no more than D1's 2 MB for a value. */
const PARAMETER_LENGTH = 600_000;

/**
 * UTF-16 units in one row of it. Whatever fits the limit for one resource fits this: what had to be escaped in the body is
 * escaped twice in a list in a column, and defaults come on top.
 */
const ROW_LENGTH = 2 * RESOURCE_LIMIT + 8192;

const storedIds = lazy(() => z.array(z.string()));

/**
 * Makes resources, all or none, in one transaction.
 * @param completions what was sent, in order
 * @throws AlreadyExists for the first value in order that is taken, IdempotencyKeyReused, PayloadTooLarge, Unavailable
 */
export async function create(
  session: BrandSession,
  collection: Collection,
  statements: CollectionStatements,
  completions: readonly Completion[],
  idempotency: Idempotency | undefined,
): Promise<Created> {
  const { unique, noun } = collection;
  const ids = completions.map(() => newId());
  const made = complete(completions, ids);
  const rows = made.map(({ id, values }) => rowOf(collection, id, values));
  const uniques = unique ? rows.map((row) => String(row[unique.column.name])) : [];
  const repeat = firstRepeat(uniques);

  const values = {
    ids: JSON.stringify(ids),
    first: ids[0] ?? null,
    // What comes after a repeat does not matter: the repeat is refused.
    uniques: JSON.stringify(uniques.slice(0, repeat).map((value, index) => [value, ids[index]])),
    idempotencyKey: idempotency?.key ?? null,
    fingerprint: idempotency?.fingerprint ?? null,
  };
  const making = idempotency ? statements.createOnce : statements.create;
  const inserts = repeat === undefined ? insertsOf(making, rows, values) : [];
  if (inserts.length > 0 && making.record) inserts.unshift({ statement: making.record, values });

  const { answer: outcome } = await session.run(inserts, { statement: making.outcome, values });

  if (outcome['ids'] != null && outcome['ids'] !== values.ids) {
    if (outcome['fingerprint'] !== idempotency?.fingerprint) throw new IdempotencyKeyReused();
    const madeBefore = complete(completions, storedIds().parse(JSON.parse(String(outcome['ids']))));
    const resources = asMade(collection, madeBefore, outcome['recorded_at']);
    return { resources, replayed: true };
  }
  const taken = outcome['taken'] == null ? repeat : Number(outcome['taken']);
  if (taken !== undefined) throw new AlreadyExists(noun, uniques[taken] ?? '');
  // The key's record came of age between two statements of the batch: the next try makes the resource.
  if (outcome['created_at'] == null) throw new Unavailable();
  return { resources: asMade(collection, made, outcome['created_at']), replayed: false };
}

/** A resource to be made. */
interface New {
  readonly id: string;
  readonly values: Values;
}

function complete(completions: readonly Completion[], ids: readonly string[]): New[] {
  return completions.map((completion, index) => {
    const id = ids[index] ?? '';
    return { id, values: completion(id) };
  });
}

/** The row to insert. A new resource's first revision is its id, which no other revision equals. */
function rowOf({ writable }: Collection, id: string, values: Values): Row {
  return { id, revision: id, ...encode(writable, values) };
}

/** The statements that insert the rows: one, unless they are too long for one parameter. */
function insertsOf(
  statements: CreateStatements,
  rows: readonly Row[],
  values: BoundStatement['values'],
): BoundStatement[] {
  const parameters: string[][] = [[]];
  let length = 0;
  for (const text of rows.map((row) => JSON.stringify(row))) {
    if (text.length > ROW_LENGTH) throw new PayloadTooLarge(RESOURCE_LIMIT);
    length += text.length;
    if (length > PARAMETER_LENGTH) {
      parameters.push([]);
      length = text.length;
    }
    parameters.at(-1)?.push(text);
  }
  return parameters.map((texts, index) => ({
    statement: index === 0 ? statements.insert : statements.insertMore,
    values: { ...values, items: `[${texts.join()}]` },
  }));
}

/** The resources as they were made at that time. */
function asMade(collection: Collection, made: readonly New[], time: SqlValue = null): Stored[] {
  return made.map(({ id, values }) => {
    const lastSyncedAt = values['lastSyncedAt'] === WRITE_TIME ? time : values['lastSyncedAt'];
    const stamped = { ...values, id, lastSyncedAt, createdAt: time, updatedAt: time };
    return { json: represent(collection, stamped), revision: id };
  });
}

/** The index of the first value that stands earlier in the list too, whatever its case. */
function firstRepeat(values: readonly string[]): number | undefined {
  const seen = new Set<string>();
  for (const [index, value] of values.entries()) {
    if (seen.has(value.toLowerCase())) return index;
    seen.add(value.toLowerCase());
  }
  return undefined;
}
