import { printableJson } from '../../../../common/terminal/printable.ts';
import { BrandApiError } from '../../index.ts';
import { collectionOf } from '../service/collections.ts';
import type { CollectionName } from '../../stores/fields.ts';
import { COLLECTIONS, FILTERS } from '../../stores/fields.ts';
import type { ConnectionFlags } from '../service/connection.ts';
import { connect } from '../service/connection.ts';
import { csvHeader, csvRow } from '../files/field-csv.ts';
import type { Surroundings } from '../surroundings.ts';
import { linesOf, writeAll } from '../terminal/output.ts';
import type { FieldValue } from '../where.ts';
import { valuesByField } from '../where.ts';
import type { AnyResource } from '../../stores/source.ts';
import { EXIT } from '../failure.ts';
import { UsageError } from '../../stores/failure.ts';

export const LIST_FORMATS = ['ndjson', 'json', 'csv'] as const;

export interface ListFlags extends ConnectionFlags {
  readonly collection: CollectionName;
  readonly where?: readonly FieldValue[];
  readonly format: (typeof LIST_FORMATS)[number];
}

/** Prints all resources that match. */
export async function list(around: Surroundings, options: ListFlags): Promise<number> {
  const { client } = connect(around, options);
  const collection = collectionOf(client, options.collection);
  const resources = collection.list(queryOf(options.where));
  try {
    await writeAll(around.stdout, TEXTS[options.format](resources, options.collection));
  } catch (error) {
    // The filters are all that such a request says.
    if (!(error instanceof BrandApiError) || error.status !== 400) throw error;
    throw new UsageError(refusalOf(error, options));
  }
  return EXIT.done;
}

/** Returns what the service says about the filters, or which there are if it does not know one. */
function refusalOf({ message }: BrandApiError, { collection, where = [] }: ListFlags): string {
  const filters: readonly string[] = FILTERS[collection];
  const unknown = where.find(({ field }) => !filters.includes(field));
  return unknown === undefined
    ? message
    : `--where ${unknown.field}: there is no such filter. The filters are ${filters.join(', ')}.`;
}

function queryOf(where?: readonly FieldValue[]): Record<string, string | string[]> {
  return Object.fromEntries(
    [...valuesByField(where)].map(([field, values]) => {
      const [first = '', ...others] = values;
      return [field, others.length === 0 ? first : values];
    }),
  );
}

type TextsOfList = (
  resources: AsyncIterable<AnyResource>,
  collection: CollectionName,
) => AsyncGenerator<string, void>;

const TEXTS: Readonly<Record<ListFlags['format'], TextsOfList>> = {
  ndjson: (resources) => linesOf(objectTexts(resources)),

  async *json(resources, collection) {
    // With the first resource, so that a request that fails prints nothing.
    const head = `{ "${COLLECTIONS[collection].key}": [`;
    let before = `${head}\n`;
    for await (const resource of resources) {
      yield `${before}${printableJson(resource)}`;
      before = ',\n';
    }
    yield before === ',\n' ? '\n] }\n' : `${head}] }\n`;
  },

  csv: (resources, collection) => linesOf(rowTexts(resources, collection)),
};

async function* objectTexts(resources: AsyncIterable<AnyResource>): AsyncGenerator<string, void> {
  for await (const resource of resources) yield printableJson(resource);
}

async function* rowTexts(
  resources: AsyncIterable<AnyResource>,
  collection: CollectionName,
): AsyncGenerator<string, void> {
  const header = csvHeader(collection);
  let before = `${header}\n`;
  for await (const resource of resources) {
    yield `${before}${csvRow(collection, resource)}`;
    before = '';
  }
  if (before !== '') yield header;
}
