import type { Answer, TestBrand } from './brand.ts';
import { collections } from './collections.ts';
import type { TestCollection } from './collections/collection.ts';

/** An item of a push, as a client sends it. */
export type Item = Readonly<Record<string, unknown>>;

export interface Result {
  readonly id: string | null;
  readonly status: string;
  readonly error?: string;
}

export interface PushOptions {
  readonly headers?: Record<string, string>;
  readonly dryRun?: boolean;
  readonly ifNewer?: boolean;
  readonly db?: D1Database;
}

export const LENIENT = { Prefer: 'handling=lenient' };
export const ONCE = { 'Idempotency-Key': 'once' };

/** Each collection with each field by which its items can find resources, besides `id`. */
export const fields: readonly { readonly of: TestCollection; readonly match: string }[] =
  collections.flatMap((of) => Object.keys(of.values).map((match) => ({ of, match })));

/** An item that creates: it has the field that matches, and what a POST needs. */
export function newItem(of: TestCollection, match: string, n: number): Item {
  return { ...of.bare(n), [match]: of.values[match]?.(n) };
}

/** What an item that creates has to name besides the field that matches, in the order of errors. */
export function required({ bare }: TestCollection, match: string): string[] {
  return Object.keys(bare(1)).filter((name) => name !== match);
}

/** An item that deletes what the item of the same number created. */
export function deletion(of: TestCollection, match: string, n: number): Item {
  return { [match]: of.values[match]?.(n), deleted: true };
}

export async function push(
  brand: TestBrand,
  of: TestCollection,
  match: string,
  items: readonly unknown[],
  { headers = {}, dryRun, ifNewer, db }: PushOptions = {},
): Promise<Answer> {
  const parameters = [
    ...(dryRun === undefined ? [] : [`&dryRun=${String(dryRun)}`]),
    ...(ifNewer === undefined ? [] : [`&ifNewer=${String(ifNewer)}`]),
  ].join('');
  const body = { [of.many]: items };
  return brand.send('POST', `${of.path}?match=${match}${parameters}`, body, {
    headers,
    ...(db && { db }),
  });
}

/** The results in an answer with status 200. */
export function resultsOf({ status, body, text }: Answer): Result[] {
  const { results } = body;
  if (status !== 200 || !Array.isArray(results)) throw new Error(`No results: ${status} ${text}`);
  return results.map((result: unknown) => resultOf(result));
}

/** The status of each item, and why it was refused if it was. */
export function outcomes(answer: Answer): string[] {
  return resultsOf(answer).map(({ status, error }) => error ?? status);
}

/** The resources in the answer to a push; those of a dry run may have no id. */
export function pushedOf(
  { body, text }: Answer,
  { many }: TestCollection,
): Record<string, unknown>[] {
  const list = body[many];
  if (!Array.isArray(list) || !list.every(isRecord)) throw new Error(`No ${many} in ${text}`);
  return list;
}

function resultOf(value: unknown): Result {
  if (!isRecord(value)) throw new Error('A result is no object.');
  const { id, status, error } = value;
  return {
    id: typeof id === 'string' ? id : null,
    status: String(status),
    ...(typeof error === 'string' && { error }),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
