import { printableJson } from '../../../../common/terminal/printable.ts';
import { BrandApiError } from '../../index.ts';
import { collectionOf } from '../service/collections.ts';
import type { CollectionName } from '../../fields.ts';
import { COLLECTIONS, filtersOf } from '../../fields.ts';
import type { ServiceFlags } from '../service/connection.ts';
import { connect } from '../service/connection.ts';
import { csvHeader, csvRow } from '../files/field-csv.ts';
import type { CommandContext } from '../context.ts';
import { writeAll } from '../terminal/output.ts';
import type { FieldValues } from '../option-values.ts';
import type { AnyResource } from '../../stores/source.ts';
import { EXIT, UsageError } from '../../../../common/failure.ts';

export const LIST_FORMATS = ['ndjson', 'json', 'csv'] as const;

interface ListFlags extends ServiceFlags {
  readonly collection: CollectionName;
  readonly where?: FieldValues;
  readonly format: (typeof LIST_FORMATS)[number];
}

export async function list(context: CommandContext, options: ListFlags): Promise<number> {
  const { client } = connect(context, options);
  const filters = Object.fromEntries(options.where ?? []);
  const resources = collectionOf(client, options.collection).list(filters);
  try {
    await writeAll(context.stdout, textsOf(resources, options));
  } catch (error) {
    // The filters are all that such a request says.
    if (!(error instanceof BrandApiError) || error.status !== 400) throw error;
    throw new UsageError(refusalOf(error, options));
  }
  return EXIT.done;
}

/** Returns what the service says about the filters, or which there are if it does not know one. */
function refusalOf({ message }: BrandApiError, { collection, where }: ListFlags): string {
  const filters = filtersOf(collection);
  const unknown = [...(where?.keys() ?? [])].find((field) => !filters.includes(field));
  return unknown === undefined
    ? message
    : `--where ${unknown}: there is no such filter. The filters are ${filters.join(', ')}.`;
}

async function* textsOf(
  resources: AsyncIterable<AnyResource>,
  { format, collection }: ListFlags,
): AsyncGenerator<string, void> {
  const isJson = format === 'json';
  const header = format === 'csv' ? `${csvHeader(collection)}\n` : '';
  const head = isJson ? `{ "${COLLECTIONS[collection].key}": [` : header;
  // With the first resource, so that a request that fails prints nothing.
  let before = isJson ? `${head}\n` : head;
  let end = isJson ? `${head}] }\n` : head;
  for await (const resource of resources) {
    const text = format === 'csv' ? csvRow(collection, resource) : printableJson(resource);
    yield `${before}${text}`;
    before = isJson ? ',\n' : '\n';
    end = isJson ? '\n] }\n' : '\n';
  }
  yield end;
}
