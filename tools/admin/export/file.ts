import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as z from 'zod/mini';
import { explained } from '../../new-file.ts';
import { ROOT } from '../../wrangler.ts';
import { AdminError } from '../admin-error.ts';
import { itemsOf } from './items.ts';
import type { Part } from './parts.ts';
import { FORMAT, PROFILE } from './parts.ts';

/** A row of an exported brand, as the document has it. */
export interface ExportedRow {
  readonly part: Part;
  readonly values: Readonly<Record<string, unknown>>;
}

/** What a file has, when all of it is known to be valid. */
export interface CheckedFile {
  readonly profile: ExportedRow;
  /** The numbers of items, by the name of the list. */
  readonly counts: Readonly<Record<string, number>>;
}

const SCHEMA = join(ROOT, 'docs/brand-export.schema.json');
const objectSchema = z.record(z.string(), z.unknown());

/**
 * Reads a file and compares it with the schema of exported brands.
 * @throws AdminError that says where they differ
 */
export async function checkFile(file: string, parts: readonly Part[]): Promise<CheckedFile> {
  const ajv = new Ajv2020({ validateFormats: false, strict: false });
  ajv.addSchema(objectSchema.parse(JSON.parse(await readFile(SCHEMA, 'utf8'))), 'export');
  const rules = new Map(
    parts.map(({ name }) => {
      const $ref = `export#/properties/${name}${name === PROFILE ? '' : '/items'}`;
      return [name, ajv.compile({ $ref })];
    }),
  );
  const lists = parts.filter(({ name }) => name !== PROFILE);
  const counts = Object.fromEntries(lists.map(({ name }) => [name, 0]));
  const missing = new Set(['format', ...parts.map(({ name }) => name)]);
  let profile: ExportedRow | undefined;
  for await (const { name, value, index } of readItems(file)) {
    if (name === 'format' && value !== FORMAT) {
      throw new AdminError(`${file} has another format than this version imports: ${FORMAT}.`);
    }
    const isEmptyList = index === undefined && Array.isArray(value) && value.length === 0;
    const isInList = index !== undefined || isEmptyList;
    const part = parts.find((one) => one.name === name);
    const isKnown = part === undefined ? name === 'format' : isInList === (name !== PROFILE);
    // Only the later items of a list have a name that was there before.
    if (!isKnown || (!missing.delete(name) && !index)) {
      throw new AdminError(`${file}: "${name}" does not belong there.`);
    }
    if (part === undefined || isEmptyList) continue;
    const problem = problemOf(rules.get(name), value);
    if (problem !== undefined) {
      throw new AdminError(`${file}: ${name}${index === undefined ? '' : `.${index}`}${problem}.`);
    }
    if (index === undefined) profile = { part, values: objectSchema.parse(value) };
    else counts[name] = (counts[name] ?? 0) + 1;
  }
  if (profile === undefined || missing.size > 0) {
    throw new AdminError(`${file} is no export of a brand: it lacks ${[...missing].join(', ')}.`);
  }
  return { profile, counts };
}

/** Returns where a value breaks its rule, and how; undefined if it does not. */
function problemOf(rule: ValidateFunction | undefined, value: unknown): string | undefined {
  if (rule?.(value) === true) return undefined;
  const [error] = rule?.errors ?? [];
  return `${error?.instancePath.replaceAll('/', '.') ?? ''}: ${error?.message ?? 'it is not valid'}`;
}

/** Yields the rows of a file that `checkFile` has checked, except the profile. */
export async function* readRows(file: string, parts: readonly Part[]): AsyncGenerator<ExportedRow> {
  for await (const { name, value, index } of readItems(file)) {
    const part = parts.find((one) => one.name === name);
    if (part !== undefined && index !== undefined)
      yield { part, values: objectSchema.parse(value) };
  }
}

async function* readItems(file: string): ReturnType<typeof itemsOf> {
  try {
    yield* itemsOf(createReadStream(file, 'utf8'));
  } catch (error) {
    if (error instanceof AdminError) throw error;
    throw new AdminError(`${file} cannot be read: ${explained(error)}.`);
  }
}
