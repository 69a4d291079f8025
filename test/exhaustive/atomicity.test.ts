import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/brand.ts';
import { TestBrand } from '../support/brand.ts';
import type { Inserted } from '../support/between-statements.ts';
import { insertStatement } from '../support/between-statements.ts';
import { withNewKey } from '../support/keys.ts';
import { collections } from '../support/collections.ts';
import { keyed } from '../support/collections/collection.ts';
import type { Ids } from '../support/operations.ts';
import { makeResources, writeOperations } from '../support/operations.ts';
import type { Write } from '../support/atomic-writes.ts';
import { atomicWrites, KNOWN } from '../support/atomic-writes.ts';

// A request takes effect completely or not at all, whatever ends it. Every position in a batch is tested: after each
// statement of the service, a statement fails.

/** What the service has of a brand: the rows of every table but its keys. */
async function rowsOf({ issued: { brandId } }: TestBrand): Promise<Record<string, unknown[]>> {
  const tables = [...collections.map(({ table }) => table), 'tombstones', 'idempotency_records'];
  const names = [...tables, 'brands'];
  const results = await env.DB.batch(
    names.map((table) =>
      env.DB.prepare(
        `select * from ${table} where ${table === 'brands' ? 'id' : 'brand_id'} = ?`,
      ).bind(brandId),
    ),
  );
  return Object.fromEntries(names.map((table, index) => [table, results[index]?.results ?? []]));
}

type Rows = Awaited<ReturnType<typeof rowsOf>>;

/** The most statements in a batch of the service. */
const MOST = 7;

/** A statement that fails, and by which nothing more than the statement is undone: D1 rolls the rest of the batch back. */
const CONSTRAINT = 'insert into brands (id) values (?)';

/** Real failures of D1: it runs these statements, they fail in SQLite, and D1 rolls the whole batch back by itself. */
const FAILURES = [CONSTRAINT, 'select json(?)', 'select zeroblob(3000000000), ?'];

/**
 * SQLite itself ends the transaction, as it may where the disk is full, cannot be read, or memory is out. The object of the
 * database cannot go on and is reset before it commits, which is real too: D1 calls it an internal error. The runtime
 * reports each of these resets on standard error, so there are few of them.
 */
const ROLLBACK = 'insert or rollback into brands (id) values (?)';
const RESET_WRITES = [
  'POST /products, many, once',
  'DELETE /products/:id',
  'a push to /products',
  'a push to /products, once',
];

/**
 * Failures that cannot be provoked here: D1 lets nobody make a database full, and does not reset on demand. The batch runs
 * whole and D1 rolls it back, both for real; only the text of the error is that which D1 documents for the case.
 * test/d1-failure.test.ts has all of them.
 */
const SIMULATED = [
  { text: 'Exceeded maximum DB size', isRetried: false },
  { text: 'Internal error in D1 DB storage caused object to be reset.', isRetried: true },
];

/** A write whose answer is lost is repeated only if it has an Idempotency-Key. */
const isKeyed = ({ headers }: Write): boolean => 'Idempotency-Key' in headers;

interface Attempt {
  readonly answer: Answer;
  readonly statements: number;
  readonly before: Rows;
  readonly after: Rows;
}

/** A brand with what the writes change, and a key of its own for the next one. */
interface Fixture {
  readonly keyed: TestBrand;
  readonly ids: Ids;
  readonly rows: Rows;
}

/** The brands that an attempt left unchanged, for the next attempt of the same write. */
const reusable = new Map<string, Fixture>();

async function fixtureFor({ name }: Write): Promise<Fixture> {
  const left = reusable.get(name);
  reusable.delete(name);
  if (left !== undefined) return { ...left, keyed: await withNewKey(left.keyed) };
  const brand = await TestBrand.create();
  for (const collection of collections)
    await brand.create(collection.path, keyed(collection, KNOWN));
  const ids = await makeResources(brand);
  return { keyed: await withNewKey(brand), ids, rows: await rowsOf(brand) };
}

/** Sends a write with a key of its own, and a statement behind the first `position` of the service's. */
async function attempt(
  write: Write,
  position: number | 'all',
  inserted: (keyId: string) => Inserted,
): Promise<Attempt> {
  const fixture = await fixtureFor(write);
  const { keyed, ids, rows: before } = fixture;
  const { db, statements } = insertStatement(env.DB, position, inserted(keyed.issued.keyId));
  const answer = await keyed.send(
    write.method,
    write.path(ids),
    write.body?.(crypto.randomUUID().slice(24)),
    { db, headers: write.headers },
  );
  const after = await rowsOf(keyed);
  if (JSON.stringify(after) === JSON.stringify(before)) reusable.set(write.name, fixture);
  return { answer, statements: statements(), before, after };
}

function expectWhole({ effect }: Write, { before, after }: Attempt): void {
  for (const table of Object.keys(before)) {
    const added = (after[table]?.length ?? 0) - (before[table]?.length ?? 0);
    expect([table, added]).toEqual([table, effect[table] ?? 0]);
  }
  expect(after).not.toEqual(before);
}

it.each(writeOperations)(
  'Each write is in the table of atomic writes: $name',
  ({ method, path }) => {
    const ids = (): string => 'x';
    expect(
      atomicWrites.filter((write) => write.method === method && write.path(ids) === path(ids)),
      'add it to the table in test/support/atomic-writes.ts',
    ).not.toEqual([]);
  },
);

it.each(atomicWrites)(
  'A write takes effect completely or not at all if one of its statements fails: $name',
  async (write) => {
    let position = 0;
    for (; position <= MOST; position++) {
      const sql = FAILURES[position % FAILURES.length] ?? CONSTRAINT;
      const tried = await attempt(write, position, () => ({ sql, values: ['x'] }));
      if (position > tried.statements) break;
      expect([tried.answer.status, tried.after]).toEqual([500, tried.before]);
    }
    // Before and behind each of at least two statements.
    expect(position).toBeGreaterThan(2);
  },
);

/** Sends a write whose first batch runs whole and fails before it is committed. */
async function attemptUncommitted(write: Write, inserted: Partial<Inserted>): Promise<Attempt> {
  return attempt(write, 'all', () => ({
    sql: CONSTRAINT,
    values: ['x'],
    times: 1,
    ...inserted,
  }));
}

/** It is undone, and the retry, if there is one, does it once. */
function expectRetried(write: Write, tried: Attempt, isRetried: boolean): void {
  expect(tried.answer.status).toBe(isRetried ? write.status : 503);
  if (isRetried) expectWhole(write, tried);
  else expect(tried.after).toEqual(tried.before);
}

describe.each(atomicWrites)('$name', (write) => {
  it.each(SIMULATED)(
    'A write that is not committed is undone, and retried only if that helps: $text',
    async (failure) => {
      const tried = await attemptUncommitted(write, { error: failure.text });
      expectRetried(write, tried, failure.isRetried && isKeyed(write));
    },
  );
});

it.each(atomicWrites.filter(({ name }) => RESET_WRITES.includes(name)))(
  'A write of a database that is reset before the commit leaves nothing, and its retry, if any, does it once: $name',
  async (write) => {
    const tried = await attemptUncommitted(write, { sql: ROLLBACK });
    expectRetried(write, tried, isKeyed(write));
  },
);

it('A database that is reset whenever it is asked is given up, and nothing is done', async () => {
  const [write] = atomicWrites.filter(({ name }) => name === 'POST /products, once');
  if (write === undefined) throw new Error('There is no such write.');
  const tried = await attemptUncommitted(write, { sql: ROLLBACK, times: Infinity });
  expectRetried(write, tried, false);
});
