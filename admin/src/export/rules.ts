import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import type { Collection } from '../../../src/operator.ts';
import { profile } from '../../../src/operator.ts';
import type { ExportedRow } from './parts.ts';
import { PROFILE } from './parts.ts';

// What the schema of an export cannot say of a row: the service's own rules, such as NFC, and what two rows must not share.

/** The rules of the members of a row that a client sets. */
type Rules = ReadonlyMap<string, z.core.$ZodType>;

/**
 * Returns where rows break a rule of the service, and how; undefined if none does.
 * @param rows all rows of the file, in its order
 */
export function brokenRule(
  rows: readonly ExportedRow[],
  collections: readonly Collection[],
): string | undefined {
  const rules = new Map([
    [PROFILE, profileRules()],
    ...collections.map(({ keys, fields }) => [keys.many, rulesOf(fields)] as const),
  ]);
  const taken = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const { part, values } of rows) {
    const index = counts.get(part.name) ?? 0;
    counts.set(part.name, index + 1);
    const place = part.name === PROFILE ? part.name : `${part.name}.${index}`;
    for (const [member, value] of Object.entries(values)) {
      const problem = problemOf(rules.get(part.name)?.get(member), value);
      if (problem !== undefined) return `${place}.${member}: ${problem}`;
    }
    const number = changeOf({ part, values }, collections);
    if (number === undefined) continue;
    const other = taken.get(number);
    if (other !== undefined) return `${place}.changeNumber: ${other} has the same`;
    taken.set(number, place);
  }
  return undefined;
}

/** A number is of one change of a collection: of a resource, or of a deletion. */
function changeOf(
  { part, values }: ExportedRow,
  collections: readonly Collection[],
): string | undefined {
  const path =
    collections.find(({ keys }) => keys.many === part.name)?.path ?? values['collection'];
  const { changeNumber } = values;
  return typeof changeNumber === 'number' ? `${String(path)} ${changeNumber}` : undefined;
}

function problemOf(rule: z.core.$ZodType | undefined, value: unknown): string | undefined {
  // Also for members without a rule: SQLite would store another text in place of it.
  if (!isWellFormed(value)) return 'must be well-formed Unicode';
  if (rule === undefined) return undefined;
  const { success, data, error } = z.safeParse(rule, value);
  if (!success) return error.issues[0]?.message ?? 'breaks a rule of the service';
  return isDeepStrictEqual(data, value) ? undefined : `must be stored as ${JSON.stringify(data)}`;
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).flat().every(isWellFormed);
}

function rulesOf(fields: Readonly<Record<string, z.core.$ZodType>>): Rules {
  return new Map(Object.entries(fields));
}

function profileRules(): Rules {
  const { brand, connection } = profile;
  const { status, ...rest } = connection.fields;
  return rulesOf({ ...brand.fields, ...rest, connectionStatus: status });
}
