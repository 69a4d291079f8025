import type { Connection, Own } from './connection.ts';
import { couponCode, patchProfile } from './others.ts';
import { completeList, get, page } from './reads.ts';
import { create, createMany, createTwice, patch, patchIfMatch, remove } from './writes.ts';

// What connections do, and what must come of it. Each provokes by itself the refusals that it expects.

/** Something that a connection does now and then. */
export interface Operation {
  readonly weight: number;
  readonly run: (connection: Connection) => Promise<void>;
}

/** Own products of a connection above which it deletes in place of creating, so that tables stay as large as they are. */
const ENOUGH = 25;

/** What connections do, and how often. */
export const OPERATIONS: readonly Operation[] = [
  { weight: 30, run: withOwn(get) },
  { weight: 12, run: withOwn(page) },
  { weight: 4, run: completeList },
  { weight: 14, run: unlessEnough(create) },
  { weight: 5, run: unlessEnough(createTwice) },
  { weight: 1, run: unlessEnough(createMany) },
  { weight: 12, run: withOwn(patch) },
  { weight: 8, run: withOwn(patchIfMatch) },
  { weight: 8, run: withOwn(remove) },
  { weight: 3, run: patchProfile },
  { weight: 3, run: couponCode },
];

/** Does it with one of the connection's own products, where it has one. */
function withOwn(run: (connection: Connection, own: Own) => Promise<void>): Operation['run'] {
  return async (connection) => {
    const own = connection.random.pick([...connection.own.values()]);
    await (own === undefined ? create(connection) : run(connection, own));
  };
}

function unlessEnough(run: Operation['run']): Operation['run'] {
  return (connection) =>
    connection.own.size < ENOUGH ? run(connection) : withOwn(remove)(connection);
}
