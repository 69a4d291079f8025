import { keyDoubts, unreadableDoubts } from '../../stores/doubts.ts';
import type { CollectionName } from '../../fields.ts';
import type { JsonObject, JsonValue } from '../../stores/json.ts';
import { isJsonObject, textOf } from '../../stores/json.ts';
import type { Content, Findings, ReadOptions, SkippedPart } from '../../stores/source.ts';
import type { LeftOutField } from '../../stores/store-product.ts';
import { FIELDS } from '../../fields.ts';

/** The values of a file, before anybody knows which of them can be taken. */
export interface FileValues extends Findings, Pick<Content, 'format'> {
  readonly values: readonly (JsonValue & {
    readonly leftOut?: readonly LeftOutField[];
  })[];
}

export function isField(name: string, collection: CollectionName): boolean {
  return FIELDS[collection].some((field) => field.name === name);
}

/** Takes values as items of this API as they are: the service refuses what it does not accept. */
export function ownContent(
  file: FileValues,
  { match, collection }: ReadOptions,
  notes: readonly string[] = [],
): Content {
  const items: JsonObject[] = [];
  const places: string[] = [];
  const skipped: SkippedPart[] = [...file.skipped];
  const unsupportedVariants: string[] = [];
  let [unreadable, unclear] = [0, 0];
  for (const { value, place, leftOut = [] } of file.values) {
    const name = place.replace(/^./, (letter) => letter.toUpperCase());
    const key = isJsonObject(value) && match !== undefined ? value[match] : undefined;
    const skip = (why: Pick<SkippedPart, 'field' | 'reason'>): void => {
      skipped.push({ key: textOf(key) || null, ...why, kind: 'problem' });
    };
    if (!isJsonObject(value)) {
      unreadable++;
      skip({ reason: `${name} is not a JSON object.` });
      continue;
    }
    // A row of CSV with this alone has lost its other cells.
    const isPrinted = file.format !== 'csv' && collection === 'products';
    const variant = isPrinted ? variantAlone(value, match) : undefined;
    if (variant !== undefined) {
      unsupportedVariants.push(variant);
      continue;
    }
    const problem = match === undefined ? undefined : unusableKey(match, key, leftOut);
    if (problem !== undefined) unclear++;
    if ('deleted' in value) {
      skip({ reason: `${name} has "deleted": leave it out of the list instead.` });
    } else if (problem !== undefined) skip({ reason: `${name}${problem}` });
    else {
      items.push(value);
      places.push(place);
      for (const { field, reason } of leftOut) skip({ field, reason: `${field}: ${reason}` });
    }
  }
  const kind = file.format === 'ndjson' ? 'line' : 'item';
  return {
    format: file.format,
    isOfStore: false,
    items,
    places,
    skipped,
    unsupportedVariants,
    doubts: [
      ...file.doubts,
      ...unreadableDoubts(unreadable, kind),
      ...keyDoubts(unclear, collection, match ?? ''),
    ],
    notes,
    match,
    source: undefined,
  };
}

/** Returns the id of an item that has nothing else, as `read` prints it, if another field is matched by. */
function variantAlone(item: JsonObject, match: string | undefined): string | undefined {
  const { storeVariantId: id, ...rest } = item;
  if (match === undefined || match === 'storeVariantId') return undefined;
  return Object.keys(rest).length > 0 ? undefined : textOf(id) || undefined;
}

/** Says why a value identifies no resource, behind the place of its item. */
function unusableKey(
  match: string,
  value: unknown,
  leftOut: readonly LeftOutField[],
): string | undefined {
  const unreadable = leftOut.find(({ field }) => field === match);
  if (unreadable !== undefined) return `, ${match}: ${unreadable.reason}`;
  if (value === undefined || value === null || value === '') return ` has no ${match}.`;
  if (typeof value === 'number') {
    const reason = Number.isSafeInteger(value) ? '' : ', and none that is exact';
    return `: its ${match} is a number${reason}. Write it in quotation marks, as a string.`;
  }
  return typeof value === 'string' ? undefined : `: its ${match} is not a string.`;
}
