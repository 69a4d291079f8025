import { keyDoubts, unreadableDoubts } from '../../stores/doubts.ts';
import { reportedReason, skippedPart, stayingBy, mergedFindings } from '../../stores/findings.ts';
import type { CollectionName } from '../../fields.ts';
import type { JsonObject, JsonValue } from '../../stores/json-values.ts';
import { isJsonObject, textOf } from '../../stores/json-values.ts';
import type {
  Content,
  Findings,
  LeftOutField,
  Omission,
  ReadOptions,
  SkippedPart,
  StayingResource,
} from '../../stores/source.ts';
import { FIELDS } from '../../fields.ts';

/** The values of a file, before anybody knows which of them can be taken. */
export interface FileValues extends Partial<Findings>, Pick<Content, 'format'> {
  readonly values: readonly (JsonValue & {
    readonly leftOut?: readonly LeftOutField[];
  })[];
}

export function isField(name: string, collection: CollectionName): boolean {
  return FIELDS[collection].some((field) => field.name === name);
}

/** Takes values as items of this API as they are: the service refuses what it does not accept. */
export function ownContent(file: FileValues, { match, collection }: ReadOptions): Content {
  const items: JsonObject[] = [];
  const places: string[] = [];
  const skipped: SkippedPart[] = [];
  const variants: StayingResource[] = [];
  let [unreadable, unclear] = [0, 0];
  for (const { value, place, leftOut = [] } of file.values) {
    const name = place.replace(/^./, (letter) => letter.toUpperCase());
    const key = isJsonObject(value) && match !== undefined ? value[match] : undefined;
    const skip = (omission: Omission): void => {
      skipped.push(skippedPart(textOf(key) || null, omission));
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
      variants.push({ field: 'storeVariantId', value: variant });
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
      for (const one of leftOut) skip(one);
    }
  }
  const kind = file.format === 'ndjson' ? 'line' : 'item';
  return {
    format: file.format,
    isOfStore: false,
    items,
    places,
    ...mergedFindings(file, {
      skipped,
      stays: [...stayingBy(match, skipped), ...variants],
      doubts: [
        ...unreadableDoubts(unreadable, kind),
        ...keyDoubts(unclear, collection, match ?? ''),
      ],
    }),
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
  if (unreadable !== undefined) return `, ${reportedReason(unreadable)}`;
  if (value === undefined || value === null || value === '') return ` has no ${match}.`;
  if (typeof value === 'number') {
    const reason = Number.isSafeInteger(value) ? '' : ', and none that is exact';
    return `: its ${match} is a number${reason}. Write it in quotation marks, as a string.`;
  }
  return typeof value === 'string' ? undefined : `: its ${match} is not a string.`;
}
