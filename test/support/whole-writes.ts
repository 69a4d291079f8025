import { collections, products } from './collections.ts';
import type { Fields, TestCollection } from './collections/collection.ts';
import { keyed } from './collections/collection.ts';
import type { Ids } from './operations.ts';
import { itemPath } from './operations.ts';

/** How many rows of each table a request adds or takes away. */
type Effect = Readonly<Partial<Record<string, number>>>;

/** A write that takes effect completely or not at all. */
export interface Write {
  readonly name: string;
  readonly method: string;
  readonly path: (ids: Ids) => string;
  /** @param unique a text that no other attempt uses */
  readonly body?: (unique: string) => unknown;
  readonly headers?: Record<string, string>;
  readonly status: number;
  readonly effect: Effect;
}

/** The key of a resource that is there before the write. */
export const KNOWN = 'KNOWN';

const once = { 'Idempotency-Key': 'once' };
const lenient = { Prefer: 'handling=lenient' };
const recorded = { idempotency_records: 1 };
const onProfile = { method: 'PUT', path: () => '/profile', status: 200, effect: {} };

function onCollection(of: TestCollection): readonly Write[] {
  const { path, many, key, note, table } = of;
  const one = (unique: string): Fields => keyed(of, unique);
  const list = (unique: string): Fields => ({
    [many]: Array.from({ length: 5 }, (_, n) => keyed(of, `${unique}${n}`)),
  });
  const changed = (unique: string): Fields => ({ [key]: KNOWN, [note]: unique });
  const mixed = (unique: string): Fields => ({ [many]: [changed(unique), keyed(of, unique)] });
  const withRefused = (unique: string): Fields => ({ [many]: [changed(unique), { [note]: 5 }] });
  const deleting = (unique: string): Fields => ({
    [many]: [{ [key]: KNOWN, deleted: true }, keyed(of, unique)],
  });
  const post = { method: 'POST', path: () => path, status: 201 };
  const push = { method: 'POST', path: () => `${path}?match=${key}`, status: 200 };
  const item = { path: (ids: Ids) => itemPath(of, ids), status: 200 };
  const created = { [table]: 1 };
  return [
    { name: `POST ${path}`, ...post, body: one, effect: created },
    {
      name: `POST ${path}, once`,
      ...post,
      body: one,
      headers: once,
      effect: { ...created, ...recorded },
    },
    {
      name: `POST ${path}, many, once`,
      ...post,
      body: list,
      headers: once,
      effect: { [table]: 5, ...recorded },
    },
    { name: `PUT ${path}/:id`, method: 'PUT', ...item, body: one, effect: {} },
    {
      name: `PATCH ${path}/:id`,
      method: 'PATCH',
      ...item,
      body: (unique) => ({ [note]: unique }),
      effect: {},
    },
    {
      name: `DELETE ${path}/:id`,
      method: 'DELETE',
      ...item,
      effect: { [table]: -1, tombstones: 1 },
    },
    {
      name: `a push to ${path}`,
      ...push,
      body: mixed,
      effect: { ...created, ...recorded },
    },
    {
      name: `a push to ${path} that deletes`,
      ...push,
      body: deleting,
      effect: { [table]: 0, tombstones: 1, ...recorded },
    },
    {
      name: `a push to ${path} that deletes, once`,
      ...push,
      body: deleting,
      headers: once,
      effect: { [table]: 0, tombstones: 1, ...recorded },
    },
    {
      name: `a push to ${path}, once`,
      ...push,
      body: mixed,
      headers: once,
      effect: { ...created, ...recorded },
    },
    {
      name: `a lenient push to ${path}`,
      ...push,
      body: withRefused,
      headers: lenient,
      effect: recorded,
    },
    {
      name: `a lenient push to ${path}, once`,
      ...push,
      body: withRefused,
      headers: { ...once, ...lenient },
      effect: recorded,
    },
  ];
}

/** More than one parameter holds. */
const LARGE = Array.from({ length: 12 }, (_, index) => `${index}`.padEnd(52_000, 'x'));
const large = {
  method: 'POST',
  body: (unique: string) => ({
    products: LARGE.map((description, index) => ({
      ...keyed(products, `${unique}${index}`),
      description,
    })),
  }),
  effect: { products: LARGE.length },
};

/** Every kind of write, by operation, headers and number of statements. */
export const writes: readonly Write[] = [
  {
    ...onProfile,
    name: 'PUT /profile',
    body: (unique) => ({ brand: { brandName: unique }, connection: {} }),
  },
  {
    ...onProfile,
    name: 'PATCH /profile',
    method: 'PATCH',
    body: (unique) => ({ brand: { description: unique } }),
  },
  ...collections.flatMap(onCollection),
  { ...large, name: 'POST /products, large', path: () => '/products', status: 201 },
  {
    ...large,
    name: 'a large push',
    path: () => '/products?match=sku',
    status: 200,
    effect: { products: LARGE.length, ...recorded },
  },
];
