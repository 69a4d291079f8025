import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as z from 'zod/mini';
import type { Collection } from '../../../src/operator.ts';
import { isId, email, timestamp } from '../../../src/operator.ts';
import { explained } from '../../../common/terminal/reason.ts';
import { ROOT } from '../../../common/wrangler/wrangler.ts';
import { Failure } from '../../../common/failure.ts';
import { textOf } from '../text-file.ts';
import { hasItsChecksum } from './fingerprint.ts';
import type { ExportedRow, Part } from './parts.ts';
import { FORMAT, KEYS, PROFILE } from './parts.ts';
import { brokenRule } from './rules.ts';
import { isTooLarge } from './texts.ts';

interface BrandFile {
  readonly profile: ExportedRow;
  /** The items of the lists. */
  readonly rows: readonly ExportedRow[];
  /** Their numbers, by the name of the list. */
  readonly counts: Readonly<Record<string, number>>;
  /** When it was exported, if it has the hashes of the keys; otherwise null. */
  readonly exportedAt: string | null;
}

const SCHEMA = join(ROOT, 'docs/brand-export.schema.json');
const object = z.record(z.string(), z.unknown());

/** The formats of the schema, as the service stores them. */
const FORMATS = {
  uuid: isId,
  'date-time': storedAs(timestamp()),
  email: storedAs(email()),
};

function storedAs(rule: z.ZodMiniType<string>): (text: string) => boolean {
  return (text) => rule.safeParse(text).data === text;
}

/**
 * Reads a file, which must fit into memory, and checks it by the schema of exported brands and the rules of the service.
 * @throws Failure if it cannot be read, or that says where they differ
 */
export async function readBrandFile(
  file: string,
  parts: readonly Part[],
  collections: readonly Collection[],
): Promise<BrandFile> {
  const { document, isIntact } = await readJson(file);
  if (document['format'] !== FORMAT) {
    throw new Failure(`${file} is no export of a brand in the format ${FORMAT}.`);
  }
  const isExport = new Ajv2020({ formats: FORMATS, strict: false }).compile(
    (await readJson(SCHEMA)).document,
  );
  if (!isExport(document)) {
    const [{ instancePath, message = '' } = { instancePath: '' }] = isExport.errors ?? [];
    const place = instancePath.slice(1).replaceAll('/', '.');
    throw new Failure(`${[file, place, message].filter((text) => text !== '').join(': ')}.`);
  }
  const [profile, ...rows] = parts.flatMap((part) => {
    const value = document[part.name];
    // All are lists, except the profile, which is the first.
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    return items.map((item) => ({ part, values: object.parse(item) }));
  });
  if (profile?.part.name !== PROFILE) throw new Error('The profile is not the first part.');
  const keys = rows.filter(({ part }) => part.name === KEYS);
  const { suspendedAt } = profile.values;
  // Requests read the key alone.
  const odd = keys.findIndex(({ values }) => values['suspendedAt'] !== suspendedAt);
  if (odd >= 0) {
    throw new Failure(`${file}: keys.${odd}.suspendedAt: must be that of the profile.`);
  }
  const exportedAt = document['exportedAt'];
  const unlike = keys.findIndex(({ values }) => 'hash' in values !== (exportedAt !== undefined));
  if (unlike >= 0) {
    throw new Failure(
      `${file}: keys.${unlike}.hash: all keys have one, and the file an exportedAt, or none.`,
    );
  }
  const broken = brokenRule([profile, ...rows], collections);
  if (broken !== undefined) throw new Failure(`${file}: ${broken}.`);
  if ('checksum' in document && !isIntact) {
    throw new Failure(
      `${file} is not as it was exported: its checksum is of another text. Export the brand again. If you have changed the file yourself, remove its member checksum.`,
    );
  }
  const lists = parts.filter(({ name }) => name !== PROFILE);
  const counts = lists.map((list): [string, number] => [
    list.name,
    rows.filter(({ part }) => part === list).length,
  ]);
  return {
    profile,
    rows,
    counts: Object.fromEntries(counts),
    exportedAt: typeof exportedAt === 'string' ? exportedAt : null,
  };
}

/**
 * Returns a JSON object, and whether its file ends with its checksum. The text is not kept: it may have 512 MB.
 * @throws Failure if the file is no JSON object
 */
async function readJson(
  file: string,
): Promise<{ readonly document: Readonly<Record<string, unknown>>; readonly isIntact: boolean }> {
  let text = '';
  try {
    const { size } = await stat(file);
    if (isTooLarge({ file, bytes: size })) {
      throw new Failure(`${file} has more than 512 MB, and brand import reads no more.`);
    }
    const bytes = await readFile(file);
    const isIntact = hasItsChecksum(bytes);
    text = textOf(bytes);
    const value: unknown = JSON.parse(text);
    return { document: object.parse(value), isIntact };
  } catch (error) {
    if (error instanceof SyntaxError && isAtEnd(error, text)) {
      throw new Failure(`${file} is incomplete: export the brand again.`);
    }
    if (error instanceof Failure) throw error;
    const reason = error instanceof z.core.$ZodError ? 'it is no JSON object' : explained(error);
    throw new Failure(`${file} cannot be read: ${reason}.`);
  }
}

/** Whether a JSON text is wrong only because it ends too early. */
function isAtEnd({ message }: SyntaxError, text: string): boolean {
  const [, position = ''] = /position (\d+)/.exec(message) ?? [];
  return /^Un(?:expected end|terminated)/.test(message) || Number(position) >= text.length;
}
