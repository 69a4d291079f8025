import { JsonBrackets } from '../../json-brackets.ts';
import type { PageSizes } from '../../stores/doubts.ts';
import { openEnd, pageDoubts, unreadableDoubts } from '../../stores/doubts.ts';
import { Failure } from '../../../../common/failure.ts';
import { skippedPart } from '../../stores/findings.ts';
import { COLLECTION_NAMES, COLLECTIONS } from '../../fields.ts';
import type { JsonObject, JsonValue } from '../../stores/json-values.ts';
import { isJsonObject, objectOf } from '../../stores/json-values.ts';
import { refuseWrongObjects } from '../../stores/wrong-exports.ts';
import { ANOTHER_PLATFORM } from '../../stores/store.ts';
import type { Content, Doubt, ReadOptions, SkippedPart } from '../../stores/source.ts';
import { contentOf } from '../../stores/content.ts';
import { STORES } from '../../stores/stores.ts';
import type { FileValues } from './own-content.ts';
import { isField, ownContent } from './own-content.ts';
import { jsonIn } from '../../json.ts';

/**
 * Reads a JSON list, an object with such a list, or NDJSON, of this API's items or of a store. This API's items are taken as they
 * are: the service refuses what it does not accept.
 * @throws Failure if it is none of them
 */
export function readJson(text: string, options: ReadOptions): Content {
  const file = fileIn(text, options);
  const own = ownFile(file, text, options);
  /** Of each object, a member that is no field. */
  const unknown = (own ?? file).values.flatMap(({ value }) =>
    isJsonObject(value) ? [unknownField(value, options)] : [],
  );
  if (own !== undefined && unknown.every((name) => name === undefined)) {
    const sizes = own.values.every(isOfService) ? SERVICE_PAGES : undefined;
    const pages = options.whole ? [] : pageDoubts(own.values, sizes, options.collection);
    return ownContent({ ...own, doubts: [...(own.doubts ?? []), ...pages] }, options);
  }
  for (const store of STORES) {
    const content = store.files?.json(file.values, options.whole ?? false);
    if (content !== undefined) return contentOf({ store, content, file }, options);
  }
  refuseWrongObjects(file.values.map(({ value }) => value));
  if (own === undefined) throw new Failure(missingList(objectOf(file.values[0]?.value), options));
  // If each of them has one, they are items of something else.
  const foreign = unknown.includes(undefined) ? undefined : unknown[0];
  if (foreign === undefined) return ownContent(own, options);
  throw new Failure(
    `Every object in the file has a member that is no field of ${COLLECTIONS[options.collection].nouns}, such as ${foreign}. ${ANOTHER_PLATFORM}`,
  );
}

function fileIn(text: string, options: ReadOptions): FileValues {
  const single = jsonIn(text);
  if (Array.isArray(single)) return listsFile([single]);
  if (isJsonObject(single)) return jsonFile([{ value: single, place: 'document 1' }]);
  const lines = text.split('\n');
  // A list that breaks off is not NDJSON.
  if (isJsonObject(jsonIn(lines.find((line) => line.trim() !== '') ?? ''))) {
    return linesFile(lines, options);
  }
  const documents = documentsIn(text);
  if (documents !== undefined) {
    // The rest of objects that were printed over several lines may be missing.
    const isOpen = documents.some(isJsonObject) && text.trim().includes('\n');
    return { ...listsFile(documents), doubts: isOpen ? endDoubts(lines, options) : [] };
  }
  throw new Failure('The file is not valid JSON. It may have been cut off.');
}

/**
 * Returns the documents of a text that has several JSON lists or objects one after the other, with or without line ends between
 * them, as pages of an answer that were written to one file; undefined if the text is anything else, such as with a message
 * in place of a page that failed.
 */
function documentsIn(text: string): unknown[] | undefined {
  const brackets = new JsonBrackets();
  const documents: unknown[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const before = brackets.depth;
    brackets.take(text.charAt(at));
    if (before !== 1 || brackets.depth !== 0) continue;
    documents.push(jsonIn(text.slice(start, at + 1)));
    start = at + 1;
  }
  return documents.includes(undefined) || text.slice(start).trim() !== '' ? undefined : documents;
}

/** Reads lists that come one after the other, or in a list, as one list. */
function listsFile(documents: readonly unknown[]): FileValues {
  const elements = documents.flat();
  const lists = elements.every(Array.isArray) ? elements : documents;
  const all = lists.flatMap((list, at): Omit<JsonValue, 'place'>[] =>
    Array.isArray(list)
      ? list.map((value: unknown) => ({ value, list: `list ${at + 1}` }))
      : [{ value: list }],
  );
  return jsonFile(all.map((one, index) => ({ ...one, place: `item ${index + 1}` })));
}

/** A document of JSON has an end, without which it is none. */
function jsonFile(values: readonly JsonValue[]): FileValues {
  return { format: 'json', values };
}

function linesFile(lines: readonly string[], options: ReadOptions): FileValues {
  const values: JsonValue[] = [];
  const skipped: SkippedPart[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const value = jsonIn(line);
    if (value !== undefined) values.push({ value, place: `line ${index + 1}` });
    else skipped.push(skippedPart(null, { reason: `Line ${index + 1} is not valid JSON.` }));
  }
  const doubts = [...unreadableDoubts(skipped.length, 'line'), ...endDoubts(lines, options)];
  return { format: 'ndjson', values, skipped, doubts };
}

/** A file of lines that does not end with a line end may have been cut off. */
function endDoubts(lines: readonly string[], { whole = false }: ReadOptions): Doubt[] {
  return !whole && lines.at(-1)?.trim() !== '' ? [openEnd('line', lines.length)] : [];
}

/** Returns the file as one of this API's items; undefined if it is an object that is neither one nor has a list of them. */
function ownFile(file: FileValues, text: string, options: ReadOptions): FileValues | undefined {
  const [{ value, place } = { value: undefined, place: '' }] = file.values;
  if (place !== 'document 1' || file.values.length > 1 || !isJsonObject(value)) return file;
  const list = value[COLLECTIONS[options.collection].key];
  if (Array.isArray(list)) return { ...listsFile([list]), doubts: pageDoubtsIn(value, options) };
  // An error of the source, such as {"code":"rate_limited","message":"Try later"}, is no item.
  if (unknownField(value, options) !== undefined) return undefined;
  const values = [{ value, place: 'line 1' }];
  const doubts = endDoubts(text.split('\n'), options);
  return { format: 'ndjson', values, doubts };
}

/** The pages of the service, with the largest limit. Its body does not say that there are more. */
const SERVICE_PAGES: PageSizes = { usual: [250], largest: 250 };

/** Whether a value is a resource as the service shows it. */
function isOfService({ value }: JsonValue): boolean {
  return isJsonObject(value) && 'id' in value && 'createdAt' in value;
}

/** Says that a document may be one page of a longer list: of changes, or of another API. */
function pageDoubtsIn(document: JsonObject, { collection }: ReadOptions): Doubt[] {
  const { key } = COLLECTIONS[collection];
  const other = Object.keys(document).find((name) => name !== key);
  if (other === undefined) return [];
  const sentence = `Document 1 has "${other}" beside its list "${key}", so it may be one page of a longer list. If it is complete, give its list alone.`;
  return [{ sentence }];
}

function missingList(document: JsonObject, options: ReadOptions): string {
  const { collection } = options;
  const other = COLLECTION_NAMES.find((name) => Array.isArray(document[COLLECTIONS[name].key]));
  const hint =
    other === undefined
      ? `, and no item: there is no field ${unknownField(document, options) ?? ''}.`
      : `, but a list "${COLLECTIONS[other].key}". Is --collection ${other} meant?`;
  return `The file is a JSON object without a list "${COLLECTIONS[collection].key}"${hint}`;
}

/** The first member of an object that is no field. */
function unknownField(object: JsonObject, { collection }: ReadOptions): string | undefined {
  return Object.keys(object).find((name) => name !== 'deleted' && !isField(name, collection));
}
