import type { CsvNumbers } from './csv/csv-numbers.ts';
import type { CsvTable } from './csv/csv-table.ts';
import { UsageError } from '../../../common/failure.ts';
import type { CollectionName } from '../fields.ts';
import type { JsonValue } from './json-values.ts';
import type { RequestContext } from './store-requests.ts';
import type { ReadOptions, Source } from './source.ts';
import type { StoreContent } from './store-product.ts';

/** Everything that is known of a platform. All else follows from it: options, help, secrets, sentences and files. */
export interface Store {
  /** On the command line, and as the format of its files. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** The `source` of its products. */
  readonly source: string;
  /** What it has of what the service holds. */
  readonly collections: readonly CollectionName[];
  /** The variables of the environment that say where the store is, and who asks. */
  readonly variables: readonly Variable[];
  /** Whether titles and options are HTML. Otherwise they are text. */
  readonly hasMarkup: boolean;
  /** Whether a title names a variant even if it is the only one of its product. */
  readonly namesOnlyVariant: boolean;
  /** What the other price of a product is called, which is not taken, such as `sale price`. */
  readonly otherPrice: string;
  readonly files?: StoreFiles | undefined;
  /** @throws UsageError if the environment does not say where the store is and who asks */
  connect(options: StoreOptions): ConnectedStore;
}

/** Reads a table whose header it recognizes. */
type CsvReader = (table: CsvTable, numbers: CsvNumbers) => StoreContent | undefined;

/**
 * Reads values that it recognizes, in any order of values and of members. Several lists of one file come one after the other.
 * @param isWhole whether the file is complete though it is as long as a page
 */
export type JsonReader = (
  values: readonly JsonValue[],
  isWhole: boolean,
) => StoreContent | undefined;

/**
 * The readers of the files of a platform. They return undefined if a file is not the platform's, and throw a Failure if it is, but
 * lacks a column, or is neither of products nor of discounts: it names what to use.
 */
interface StoreFiles {
  readonly csv: Readonly<Partial<Record<CollectionName, CsvReader>>>;
  readonly json: JsonReader;
  /** What people take by mistake. */
  readonly wrongExports: readonly WrongExport[];
}

/** What to do with products of a platform that is not read. */
export const ANOTHER_PLATFORM =
  'The section "Another platform" of the manual has a program that makes items of such a file.';

/** What a platform gives that is neither products nor discount codes, or has not all of them. */
export interface WrongExport {
  /** What it is, such as `orders from Shopify`. */
  readonly name: string;
  /** The names of columns of a CSV file, which are all there. */
  readonly columns?: readonly string[];
  /** The names of members of an object in JSON, which are all there. */
  readonly members?: readonly string[];
  /** What to use instead, as a sentence; by default the exports. */
  readonly instead?: string;
}

export interface Variable {
  readonly name: string;
  /** Whether nobody may see its value. */
  readonly isSecret: boolean;
  /** What it is, such as `the address of the shop`, for a person. */
  readonly help: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a store is asked for, and with what. */
export interface StoreOptions
  extends RequestContext, Pick<ReadOptions, 'collection' | 'match' | 'variants'> {
  readonly env: Environment;
  /** Called while it is read, with what has been read and the total, if that is known. */
  readonly onProgress?: ((done: number, total?: number) => void) | undefined;
}

/** A store that can be read. Nothing is written to it. */
export interface ConnectedStore extends Pick<Source, 'confirm'> {
  /** Reads it to its end. */
  read(): Promise<StoreReading>;
}

/** What was read of a store itself. */
export interface StoreReading extends StoreContent {
  /** Its host names, first the one by which it is known to its own. */
  readonly domains: readonly string[];
}

/**
 * Returns the key, or another visible text, that a variable has; empty if it is not set.
 * @throws UsageError without the value, if it has a character that cannot be in a header
 */
export function keyVariable(env: Environment, name: string): string {
  const value = env[name]?.trim() ?? '';
  if (value === '' || isKey(value)) return value;
  throw new UsageError(`${name} has a character that no key has. Copy it again.`);
}

/** Whether a text is visible and can be in a header. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
