import { COLLECTION_NAMES, COLLECTIONS, FILE_FIELDS } from './fields.ts';
import { FileError } from './file-error.ts';
import type { Item, ReadOptions, SkippedRow, StoreFile } from './store-file.ts';

/** Whether a file is JSON or NDJSON, and no table. */
export function looksLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

/**
 * Reads a JSON list, an object with such a list, or NDJSON. Values are taken as they are: the service refuses what it does
 * not accept.
 * @throws FileError if it is none of them
 */
export function readJson(text: string, options: ReadOptions): StoreFile {
  const whole = parsed(text);
  if (Array.isArray(whole)) return fileOf('json', whole, 'Item', options);
  if (isObject(whole)) {
    const list = whole[COLLECTIONS[options.collection].key];
    if (Array.isArray(list)) return fileOf('json', list, 'Item', options);
    // An error of the source, such as {"code":"rate_limited","message":"Try later"}, is no item.
    const unknown = unknownField(whole, options);
    if (unknown !== undefined) throw new FileError(missingList(whole, options, unknown));
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  // A list that breaks off is not NDJSON.
  if (!isObject(parsed(lines[0] ?? ''))) {
    throw new FileError('The file is not valid JSON. It may have been cut off.');
  }
  return fileOf('ndjson', lines.map(parsed), 'Line', options);
}

/** @param values the values that should be items; undefined for what is not valid JSON */
function fileOf(
  format: 'json' | 'ndjson',
  values: readonly unknown[],
  one: string,
  { match }: ReadOptions,
): StoreFile {
  const items: Item[] = [];
  const skipped: SkippedRow[] = [];
  let hasUnclearRows = false;
  for (const [index, value] of values.entries()) {
    const name = `${one} ${index + 1}`;
    if (!isObject(value)) {
      const what = value === undefined ? 'valid JSON' : 'a JSON object';
      skipped.push({ key: null, reason: `${name} is not ${what}.` });
      hasUnclearRows = true;
      continue;
    }
    const key = match === undefined ? undefined : value[match];
    if ('deleted' in value) {
      const reason = `${name} has "deleted": leave it out of the list instead.`;
      skipped.push({ key: typeof key === 'string' ? key : null, reason });
      hasUnclearRows ||= typeof key !== 'string';
    } else if (match !== undefined && (key ?? '') === '') {
      // No resource without a value is ever deleted, so this row protects none.
      skipped.push({ key: null, reason: `${name} has no ${match}.` });
    } else items.push(value);
  }
  return { format, items, skipped, hasUnclearRows, notes: [], match, source: undefined };
}

function missingList(whole: Item, { collection }: ReadOptions, unknown: string): string {
  const other = COLLECTION_NAMES.find((name) => Array.isArray(whole[COLLECTIONS[name].key]));
  const hint =
    other === undefined
      ? `, and no item: there is no field ${unknown}.`
      : `, but a list "${COLLECTIONS[other].key}". Is --collection ${other} meant?`;
  return `The file is a JSON object without a list "${COLLECTIONS[collection].key}"${hint}`;
}

function unknownField(value: Item, { collection }: ReadOptions): string | undefined {
  const fields = new Set(['deleted', ...FILE_FIELDS[collection].map(({ name }) => name)]);
  return Object.keys(value).find((name) => !fields.has(name));
}

function isObject(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a value; undefined if the text is not valid JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
