import { inject } from 'vitest';
import type { Answer, RequestOptions, TestBrand } from './brand.ts';
import { send } from './brand.ts';
import { collections } from './collections.ts';
import type { TestCollection } from './collections/collection.ts';
import { distinct } from './collections/collection.ts';
import type { DocumentedOperation } from './document.ts';
import { operationsOfDocument } from './document.ts';

/** The id in the paths of operations on one resource of a collection. */
export type Ids = (of: TestCollection) => string;

export interface Operation {
  readonly name: string;
  readonly method: string;
  /** Its path below `/api/brand/v1`. */
  readonly path: (ids: Ids) => string;
  /** A valid body, if the operation takes one. */
  readonly body?: unknown;
  readonly status: 200 | 201;
  /** The headers that it honours besides those of every request. */
  readonly honours: readonly Honoured[];
  /** The path of what it reads or writes, if that has an entity tag: the profile, or one resource. */
  readonly target?: (ids: Ids) => string;
  /** The name of its resource in errors, if its path has an id. */
  readonly noun?: string;
  /** What its target must be changed to before, so that it succeeds: a body for PATCH. */
  readonly needs?: unknown;
  /** Whether each repetition changes its target again, such as one that counts. */
  readonly counts?: true;
}

/** A header that changes what an operation does. */
export type Honoured = 'If-Match' | 'If-None-Match' | 'Idempotency-Key' | 'Prefer';

const ofRead: readonly Honoured[] = ['If-None-Match'];
const ofWrite: readonly Honoured[] = ['If-Match', 'If-None-Match'];

/** What follows from neither the document nor the collection. */
type Special = Pick<Operation, 'body' | 'target' | 'needs' | 'counts'>;

const special: Readonly<Record<string, Special>> = {
  'PUT /profile': { body: { brand: { brandName: 'Test brand' }, connection: {} } },
  'PATCH /profile': { body: { brand: { description: 'Changed' } } },
  'POST /coupon-codes/:codeId/redeem': { counts: true },
};

/**
 * All operations of a service with these collections, and with those of `test/fixtures`. Method, path and status are those
 * of the document, whose operations are compared with the routes in `test/inventory.test.ts`.
 */
export function operationsOf(all: readonly TestCollection[]): readonly Operation[] {
  return documentedOperations.flatMap((one) => {
    const of = all.find(({ path }) => `${one.path}/`.startsWith(`${path}/`));
    return of || one.path === '/profile' ? [operationOf(one, of)] : [];
  });
}

function operationOf(documented: DocumentedOperation, of: TestCollection | undefined): Operation {
  const { method, path: described, hasBody, status } = documented;
  const name = `${method} ${described.replace(/\{(\w+)\}/g, ':$1')}`;
  const path = (ids: Ids): string => described.replace(/\{\w+\}/, () => (of ? ids(of) : ''));
  const ofOne = described.includes('{') ? of : undefined;
  const target = of ? ofOne && ((ids: Ids) => itemPath(ofOne, ids)) : path;
  const body = of && hasBody ? bodyOf(method, of) : undefined;
  const { [name]: more } = special;
  return {
    name,
    method,
    path,
    status,
    honours: honoured(method, target !== undefined, described === of?.path),
    ...(body !== undefined && { body }),
    ...(target && { target }),
    ...(ofOne && { noun: ofOne.noun }),
    ...more,
  };
}

function bodyOf(method: string, { bare, note }: TestCollection): unknown {
  return method === 'PATCH' ? { [note]: 'Changed' } : bare(2);
}

function honoured(method: string, hasTag: boolean, isCollection: boolean): readonly Honoured[] {
  if (hasTag) return method === 'GET' ? ofRead : ofWrite;
  return isCollection && method === 'POST' ? ['Prefer', 'Idempotency-Key'] : [];
}

export function itemPath(of: TestCollection, ids: Ids): string {
  return `${of.path}/${ids(of)}`;
}

const documentedOperations = operationsOfDocument(inject('fixtureDocument'));

export const operations = operationsOf(collections);
export const readOperations = operations.filter(({ method }) => method === 'GET');
export const writeOperations = operations.filter(({ method }) => method !== 'GET');
export const withBody = operations.filter(({ body }) => body !== undefined);
export const onItems = operations.filter(({ noun }) => noun !== undefined);
/** The operations on one resource besides those of every collection. */
export const postsOnOne = onItems.filter(({ method }) => method === 'POST');

/** Creates a resource in each collection for the operations. */
export async function makeResources(brand: TestBrand): Promise<Ids> {
  const ids = new Map<TestCollection, string>();
  for (const collection of brand.service.collections) {
    const body = distinct(collection, `BEFORE-${crypto.randomUUID().slice(24)}`);
    ids.set(collection, (await brand.create(collection.path, body)).id);
  }
  return (of) => {
    const id = ids.get(of);
    if (id === undefined) throw new Error(`There is nothing in ${of.path}.`);
    return id;
  };
}

/** Changes an operation's target to what the operation needs. */
export async function prepare(
  { name, target, needs }: Operation,
  brand: TestBrand,
  ids: Ids,
): Promise<void> {
  if (needs === undefined) return;
  const { status, text } = await brand.send('PATCH', target?.(ids) ?? '', needs);
  if (status !== 200) throw new Error(`What ${name} needs is refused: ${text}`);
}

/** Sends an operation with its valid body and only the given headers. */
export async function perform(
  { method, path, body }: Operation,
  ids: Ids,
  options: RequestOptions = {},
): Promise<Answer> {
  return send(method, `/api/brand/v1${path(ids)}`, {
    ...(body !== undefined && { raw: JSON.stringify(body) }),
    ...options,
  });
}

/** Returns the header with a brand's key. */
export function bearer({ issued }: TestBrand): { Authorization: string } {
  return { Authorization: `Bearer ${issued.apiKey}` };
}

/** Returns everything that the brand can read, as text. Two equal snapshots show that nothing changed in between. */
export async function readAll(brand: TestBrand, ids: Ids): Promise<string[]> {
  const answers = readOperations.map((read) => perform(read, ids, { headers: bearer(brand) }));
  return (await Promise.all(answers)).map(({ text }) => text);
}
