import { collections, products } from './collections.ts';
import type { Fields, TestCollection } from './collections/collection.ts';
import { keyed } from './collections/collection.ts';
import type { Ids } from './operations.ts';
import { itemPath, postsOnOne } from './operations.ts';

/** How many rows of each table a request adds or takes away. */
type Effect = Readonly<Partial<Record<string, number>>>;

/** A write that takes effect completely or not at all. */
export interface Write {
  readonly name: string;
  readonly method: string;
  readonly path: (ids: Ids) => string;
  /** @param unique a text that no other attempt uses */
  readonly body?: (unique: string) => unknown;
  readonly headers: Record<string, string>;
  readonly status: number;
  readonly effect: Effect;
}

/** The key of a resource that is there before the write. */
export const KNOWN = 'KNOWN';

const once = { 'Idempotency-Key': 'once' };
const lenient = { Prefer: 'handling=lenient' };
const recorded = { idempotency_records: 1 };

type Unnamed = Omit<Write, 'name'>;
type Body = NonNullable<Write['body']>;

function write(
  method: string,
  path: string | Write['path'],
  body: Body | undefined,
  effect: Effect,
  headers: Record<string, string> = {},
): Unnamed {
  const pathOf = typeof path === 'string' ? (): string => path : path;
  const status = method === 'POST' && !String(path).includes('match=') ? 201 : 200;
  return { method, path: pathOf, ...(body && { body }), headers, status, effect };
}

function onCollection(of: TestCollection): Readonly<Record<string, Unnamed>> {
  const { path, many, key, note, table } = of;
  const one: Body = (unique) => keyed(of, unique);
  const list: Body = (unique) => ({
    [many]: Array.from({ length: 5 }, (_, n) => keyed(of, `${unique}${n}`)),
  });
  const patch: Body = (unique) => ({ [note]: unique });
  const changed = (unique: string): Fields => ({ [key]: KNOWN, [note]: unique });
  const mixed: Body = (unique) => ({ [many]: [changed(unique), keyed(of, unique)] });
  const withRefused: Body = (unique) => ({ [many]: [changed(unique), { [note]: 5 }] });
  const deleting: Body = (unique) => ({
    [many]: [{ [key]: KNOWN, deleted: true }, keyed(of, unique)],
  });
  const push = `${path}?match=${key}`;
  const item = (ids: Ids): string => itemPath(of, ids);
  const created = { [table]: 1 };
  const pushed = { ...created, ...recorded };
  const replaced = { tombstones: 1, ...recorded };
  return {
    [`POST ${path}`]: write('POST', path, one, created),
    [`POST ${path}, once`]: write('POST', path, one, pushed, once),
    [`POST ${path}, many, once`]: write('POST', path, list, { [table]: 5, ...recorded }, once),
    [`PUT ${path}/:id`]: write('PUT', item, one, {}),
    [`PATCH ${path}/:id`]: write('PATCH', item, patch, {}),
    [`DELETE ${path}/:id`]: write('DELETE', item, undefined, { [table]: -1, tombstones: 1 }),
    [`a push to ${path}`]: write('POST', push, mixed, pushed),
    [`a push to ${path}, once`]: write('POST', push, mixed, pushed, once),
    [`a push to ${path} that deletes`]: write('POST', push, deleting, replaced),
    [`a push to ${path} that deletes, once`]: write('POST', push, deleting, replaced, once),
    [`a lenient push to ${path}`]: write('POST', push, withRefused, recorded, lenient),
    [`a lenient push to ${path}, once`]: write('POST', push, withRefused, recorded, {
      ...once,
      ...lenient,
    }),
  };
}

/** More than one parameter holds. */
const LARGE = Array.from({ length: 12 }, (_, index) => `${index}`.padEnd(52_000, 'x'));
const large: Body = (unique) => ({
  products: LARGE.map((description, index) => ({
    ...keyed(products, `${unique}${index}`),
    description,
  })),
});
const all = { products: LARGE.length };
const profile: Body = (unique) => ({ brand: { brandName: unique }, connection: {} });

/** They change a resource: no table gets a row, or loses one. */
const onOne: Readonly<Record<string, Unnamed>> = Object.fromEntries(
  postsOnOne.map(({ name, method, path, body, status }) => [
    name,
    { method, path, body: () => body, headers: {}, status, effect: {} },
  ]),
);

/** Every kind of write, by operation, headers and number of statements. */
export const atomicWrites: readonly Write[] = Object.entries({
  'PUT /profile': write('PUT', '/profile', profile, {}),
  'PATCH /profile': write('PATCH', '/profile', profile, {}),
  ...Object.fromEntries(collections.flatMap((of) => Object.entries(onCollection(of)))),
  ...onOne,
  'POST /products, large': write('POST', '/products', large, all),
  'a large push': write('POST', '/products?match=sku', large, { ...all, ...recorded }),
}).map(([name, unnamed]) => ({ name, ...unnamed }));
