import type { FileHandle } from 'node:fs/promises';
import { mkdtempDisposable, open, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as z from 'zod/mini';
import { isId } from '../../../src/collection/identifier.ts';
import { email, hostName } from '../../../src/fields/internet.ts';
import { timestamp } from '../../../src/fields/timestamp.ts';
import { explained, PRIVATE } from '../../new-file.ts';
import { ROOT } from '../../wrangler.ts';
import { AdminError } from '../admin-error.ts';
import { itemsOf } from './items.ts';
import type { Part } from './parts.ts';
import { FORMAT, KEYS, PROFILE } from './parts.ts';

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

/** A file that is open, so that both times the same is read. */
export interface OpenFile {
  readonly file: string;
  readonly handle: FileHandle;
}

const SCHEMA = join(ROOT, 'docs/brand-export.schema.json');
const objectSchema = z.record(z.string(), z.unknown());

/** The formats of the schema, as the service stores them. */
const FORMATS = {
  uuid: isId,
  'date-time': storedAs(timestamp()),
  email: storedAs(email()),
  hostname: storedAs(hostName()),
};

function storedAs(rule: z.ZodMiniType<string>): (text: string) => boolean {
  return (text) => rule.safeParse(text).data === text;
}

/**
 * Opens a file to be read twice. A pipe, such as `/dev/stdin`, is copied first.
 * @throws AdminError if it cannot be read
 */
export async function openFile(file: string): Promise<OpenFile> {
  try {
    const handle = await open(file);
    if ((await handle.stat()).isFile()) return { file, handle };
    await using folder = await mkdtempDisposable(join(tmpdir(), 'brand-import-'));
    const copy = join(folder.path, 'brand.json');
    await writeFile(copy, handle.createReadStream(), { mode: PRIVATE });
    // It can be read after the folder is gone.
    return { file, handle: await open(copy) };
  } catch (error) {
    throw unreadable(file, error);
  }
}

/**
 * Reads a file and compares it with the schema of exported brands.
 * @throws AdminError that says where they differ
 */
export async function checkFile(source: OpenFile, parts: readonly Part[]): Promise<CheckedFile> {
  const { file } = source;
  const ajv = new Ajv2020({ formats: FORMATS, strict: false });
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
  const suspensions = new Map<unknown, string>();
  for await (const { name, value, index } of readItems(source)) {
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
    const place = index === undefined ? name : `${name}.${index}`;
    const problem = problemOf(rules.get(name), value);
    if (problem !== undefined) throw new AdminError(`${file}: ${place}${problem}.`);
    const values = objectSchema.parse(value);
    if (name === KEYS) suspensions.set(values['suspendedAt'], place);
    if (index === undefined) profile = { part, values };
    else counts[name] = (counts[name] ?? 0) + 1;
  }
  if (profile === undefined || missing.size > 0) {
    throw new AdminError(`${file} is no export of a brand: it lacks ${[...missing].join(', ')}.`);
  }
  // Requests read the key alone.
  for (const [suspendedAt, place] of suspensions) {
    if (suspendedAt === profile.values['suspendedAt']) continue;
    throw new AdminError(`${file}: ${place}.suspendedAt: must be that of the profile.`);
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
export async function* readRows(
  source: OpenFile,
  parts: readonly Part[],
): AsyncGenerator<ExportedRow> {
  for await (const { name, value, index } of readItems(source)) {
    const part = parts.find((one) => one.name === name);
    if (part !== undefined && index !== undefined)
      yield { part, values: objectSchema.parse(value) };
  }
}

async function* readItems({ file, handle }: OpenFile): ReturnType<typeof itemsOf> {
  try {
    yield* itemsOf(handle.createReadStream({ start: 0, autoClose: false, encoding: 'utf8' }));
  } catch (error) {
    throw error instanceof AdminError ? error : unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): AdminError {
  return new AdminError(`${file} cannot be read: ${explained(error)}.`);
}
