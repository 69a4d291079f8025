import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/brand.ts';
import { execute, resourceOf, resourcesOf, TestBrand } from '../support/brand.ts';
import { collections } from '../support/collections.ts';
import type { TestCollection } from '../support/collections/collection.ts';
import { keyed } from '../support/collections/collection.ts';
import { copyOf } from '../support/copy.ts';
import type { Fault, FaultyD1 } from '../support/faults.ts';
import { D1_ERRORS, failing, interrupted, slow } from '../support/faults.ts';
import { postsOnOne } from '../support/operations.ts';
import { normalised, snapshot } from '../support/snapshot.ts';

// D1 fails before a call or after it. A call that D1 did not begin is repeated; a call whose answer is lost only if it
// reads, or has an Idempotency-Key. Any other write is then 503: nobody can tell whether it was done.

/** What an operation is asked for, and what it answers while D1 is well. */
interface Operation {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body?: unknown;
  /** Sends `If-Match` with the current entity tag. */
  readonly ifMatch?: true;
  readonly idempotencyKey?: string;
}

const profile = { brand: { brandName: 'Renamed' }, connection: { status: 'CONNECTED' } };
const patch = { brand: { contactName: 'Ada' } };
const OLD = 'OLD';

// `:id` stands for the id of the brand's resource.
function onCollection(of: TestCollection): readonly Operation[] {
  const { path, many, key, note, isUnique } = of;
  const one = keyed(of, 'NEW');
  const list = { [many]: ['A', 'B', 'C'].map((name) => keyed(of, name)) };
  const item = { path: `${path}/:id`, status: 200 };
  const changes = { [note]: 'Changed' };
  return [
    { method: 'GET', path, status: 200 },
    { method: 'GET', path: `${path}?limit=1`, status: 200 },
    { method: 'POST', path, status: 201, body: one },
    { method: 'POST', path, status: 201, body: one, idempotencyKey: 'one' },
    { method: 'POST', path, status: 201, body: list },
    { method: 'POST', path, status: 201, body: list, idempotencyKey: 'many' },
    { method: 'GET', ...item },
    { method: 'PUT', ...item, body: one },
    { method: 'PUT', ...item, body: one, ifMatch: true },
    { method: 'PATCH', ...item, body: { [key]: 'P' } },
    { method: 'PATCH', ...item, body: changes, ifMatch: true },
    { method: 'DELETE', ...item },
    { method: 'DELETE', ...item, ifMatch: true },
    // Requests that are refused without faults are refused in the same way after a retry.
    { method: 'POST', path, status: 400, body: changes },
    { method: 'GET', path: `${path}/00000000-0000-7000-8000-000000000000`, status: 404 },
    ...(isUnique ? [{ method: 'POST', path, status: 409, body: keyed(of, 'old') }] : []),
    ...pushes(of),
  ];
}

/** Pushes that create, change and delete. */
function pushes(of: TestCollection): readonly Operation[] {
  const { path, many, key, note } = of;
  const push = { method: 'POST', path: `${path}?match=${key}`, status: 200 };
  const change = { ...push, body: { [many]: [{ [key]: OLD, [note]: 'x' }, keyed(of, 'NEW')] } };
  const deletion = { ...push, body: { [many]: [{ [key]: OLD, deleted: true }] } };
  return [
    change,
    deletion,
    { ...change, idempotencyKey: 'change' },
    { ...deletion, idempotencyKey: 'deletion' },
  ];
}

const OPERATIONS: readonly Operation[] = [
  { method: 'GET', path: '/profile', status: 200 },
  { method: 'PUT', path: '/profile', status: 200, body: profile },
  { method: 'PUT', path: '/profile', status: 200, body: profile, ifMatch: true },
  { method: 'PATCH', path: '/profile', status: 200, body: patch },
  { method: 'PATCH', path: '/profile', status: 200, body: patch, ifMatch: true },
  ...collections.flatMap(onCollection),
  ...postsOnOne.map(({ method, path, status, body }) => ({
    method,
    path: path(() => ':id'),
    status,
    body,
  })),
];

/** What must come of a fault. */
interface Outcome extends Omit<Fault, 'text'> {
  readonly kind: keyof typeof D1_ERRORS;
  readonly answer: 'as ever' | 'unavailable' | 'bug';
  readonly calls: number;
  /** Whether a write has taken effect: once, and whole. */
  readonly written: boolean;
}

const always = Infinity;
const done = { answer: 'as ever', written: true } as const;
const unavailable = { answer: 'unavailable', written: false } as const;
const OUTCOMES: readonly Outcome[] = [
  { kind: 'notBegun', moment: 'before', times: 1, calls: 2, ...done },
  { kind: 'notBegun', moment: 'before', times: always, calls: 3, ...unavailable },
  { kind: 'lost', moment: 'before', times: 1, calls: 2, ...done },
  { kind: 'lost', moment: 'after', times: 2, calls: 3, ...done },
  { kind: 'lost', moment: 'after', times: always, calls: 3, ...unavailable, written: true },
  { kind: 'overload', moment: 'before', times: 1, calls: 1, ...unavailable },
  { kind: 'overload', moment: 'after', times: 1, calls: 1, ...unavailable, written: true },
  { kind: 'bug', moment: 'before', times: 1, calls: 1, answer: 'bug', written: false },
  { kind: 'bug', moment: 'after', times: 1, calls: 1, answer: 'bug', written: true },
];

/** Whether an operation is repeated when D1's answer is lost: it writes nothing, or has an Idempotency-Key. */
function isRepeatable({ method, idempotencyKey, status }: Operation): boolean {
  return method === 'GET' || idempotencyKey !== undefined || status === 400;
}

/** What must come of a fault for an operation. */
function outcomeFor(operation: Operation, outcome: Outcome): Outcome {
  if (outcome.kind !== 'lost' || isRepeatable(operation)) return outcome;
  return { ...outcome, ...unavailable, calls: 1, written: outcome.moment === 'after' };
}

/** What decides, with the failure, what is repeated: one function does, for all operations. */
function kindOf({ method, idempotencyKey, status }: Operation): string {
  if (method === 'GET' || status === 400) return `${method} ${status}`;
  return idempotencyKey === undefined ? 'write' : 'write with a key';
}

/** All faults for the first operation of a kind. For the others those after which it is done, as if nothing was. */
function outcomesOf(operation: Operation): readonly Outcome[] {
  const kind = kindOf(operation);
  const isFirst = OPERATIONS.find((other) => kindOf(other) === kind) === operation;
  const tried = isFirst ? OUTCOMES : OUTCOMES.filter(({ answer }) => answer === 'as ever');
  return tried.map((outcome) => outcomeFor(operation, outcome));
}

/** The brand that the others are copies of, and the answers that made what it has, by collection. */
let first: { readonly brand: TestBrand; readonly made: ReadonlyMap<string, Answer> };

beforeAll(async () => {
  const brand = await TestBrand.create();
  const made = new Map<string, Answer>();
  for (const collection of collections) {
    made.set(collection.path, await brand.send('POST', collection.path, keyed(collection, OLD)));
  }
  first = { brand, made };
});

/** A brand with one resource in each collection, and what is needed to ask for an operation. */
async function seeded({ path, ifMatch, idempotencyKey }: Operation): Promise<{
  readonly brand: TestBrand;
  readonly path: string;
  readonly headers: Record<string, string>;
}> {
  const brand = await copyOf(first.brand);
  const made = first.made.get(path.replace(/\/:id.*|\?match=.*/, ''));
  const { headers } = made ?? (await brand.send('GET', '/profile'));
  return {
    brand,
    path: made === undefined ? path : path.replace(':id', resourceOf(made).id),
    headers: {
      ...(ifMatch && { 'If-Match': headers.get('ETag') ?? '' }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    },
  };
}

/** Asks for an operation, and gives the answer with what D1 holds afterwards. */
async function attempt(
  operation: Operation,
  { db, calls }: FaultyD1,
): Promise<{ answer: Answer; calls: number; shown: string; after: string }> {
  const { brand, path, headers } = await seeded(operation);
  const answer = await brand.send(operation.method, path, operation.body, { headers, db });
  const after = normalised(await snapshot(brand.issued.brandId));
  const { status, body } = answer;
  const tag = answer.headers.get('ETag');
  return {
    answer,
    calls: calls(),
    shown: normalised({ status, tag, body }).replace(/cursor=\w+/, 'cursor'),
    after,
  };
}

function title({ method, path, body, ifMatch, idempotencyKey, status }: Operation): string {
  const extras = [ifMatch && 'If-Match', idempotencyKey && 'Idempotency-Key'].filter(Boolean);
  const many = JSON.stringify(body ?? '').includes('[') ? ' of three' : '';
  return [`${method} ${path}${many}`, ...extras, `(${status})`].join(' ');
}

describe.concurrent.each(OPERATIONS.map((operation) => ({ name: title(operation), operation })))(
  '$name',
  ({ operation }) => {
    const { method } = operation;
    let known: ReturnType<typeof attempt> | undefined;
    const whileWell = (): ReturnType<typeof attempt> =>
      (known ??= attempt(operation, slow(env.DB, 0)));
    let knownBefore: Promise<string> | undefined;
    const untouched = (): Promise<string> =>
      (knownBefore ??= seeded(operation).then(async ({ brand }) =>
        normalised(await snapshot(brand.issued.brandId)),
      ));

    it('An operation answers after one call if D1 works', async () => {
      const { answer, calls } = await whileWell();
      expect(answer.status, answer.text).toBe(operation.status);
      expect(calls).toBe(1);
    });

    it.each(outcomesOf(operation))(
      'An operation is tried again after a failure if that is safe: $kind $moment the call, $times times, $answer after $calls calls',
      async ({ kind, moment, times, answer, calls, written }) => {
        const reference = await whileWell();
        // d1-failure.test.ts tests which text is of which kind.
        const [text] = D1_ERRORS[kind];
        const attempted = await attempt(operation, failing(env.DB, { text, moment, times }));
        expect(attempted.calls).toBe(calls);
        expect(attempted.after).toBe(written ? reference.after : await untouched());
        if (answer !== 'as ever') expectFailure(attempted.answer, answer, text);
        else expect(attempted.shown).toBe(reference.shown);
        const isReplay = answer === 'as ever' && moment === 'after' && method !== 'GET';
        const isRefused = operation.status >= 400;
        expect(attempted.answer.headers.get('Idempotent-Replayed')).toBe(
          isReplay && !isRefused ? 'true' : null,
        );
      },
    );
  },
);

function expectFailure({ status, body, headers }: Answer, answer: string, text: string): void {
  expect(JSON.stringify([...headers])).not.toContain(text);
  expect(headers.get('Content-Type')).toContain('application/json');
  if (answer === 'unavailable') {
    expect(status, text).toBe(503);
    expect(body).toEqual({ error: 'Service temporarily unavailable.' });
    expect(headers.get('Retry-After')).toMatch(/^[1-9]\d*$/);
  } else {
    expect(status, text).toBe(500);
    expect(body).toEqual({ error: 'Internal server error.' });
    expect(headers.get('Retry-After')).toBeNull();
  }
}

const [text] = D1_ERRORS.lost;
const all = Array.from({ length: 1025 }, (_, i) => ({ title: `P${i}`, priceCents: i }));

async function bigBrand(): Promise<TestBrand> {
  const brand = await TestBrand.create();
  for (let first = 0; first < all.length; first += 500) {
    await brand.send('POST', '/products', { products: all.slice(first, first + 500) });
  }
  return brand;
}

it('A list that is read in several calls is complete if the second call fails once', async () => {
  const brand = await bigBrand();
  const { db } = failing(env.DB, { text, moment: 'before', first: 2, times: 1 });
  const answer = await brand.send('GET', '/products', undefined, { db });
  expect(resourcesOf(answer).map(({ priceCents }) => priceCents)).toEqual(
    all.map(({ priceCents }) => priceCents),
  );
});

it('A list that is read in several calls is aborted, and never looks complete, if the second call keeps failing', async () => {
  const brand = await bigBrand();
  const { db } = failing(env.DB, { text, moment: 'before', first: 2, times: always });
  await expect(brand.send('GET', '/products', undefined, { db })).rejects.toThrow();
});

it.each([
  ['GET', '/products', undefined, {}],
  ['POST', '/products', { title: 'Once', priceCents: 1 }, { 'Idempotency-Key': 'once' }],
])(
  'A key that ends between two tries decides the answer, because the second try checks it again: %s %s',
  async (...request) => {
    const [method, path, body, headers] = request;
    const brand = await TestBrand.create();
    const revoke = sql`update api_keys set revoked_at = created_at where id = ${brand.issued.keyId}`;
    const { db, calls } = interrupted(env.DB, {
      moment: 'after',
      between: () => execute(revoke),
    });
    const answer = await brand.send(method, path, body, { db, headers });
    expect([answer.status, calls()]).toEqual([401, 2]);
  },
);

it('A push that cannot write is repeated, and says what is wrong', async () => {
  const brand = await TestBrand.create();
  const { db, calls } = failing(env.DB, {
    text: D1_ERRORS.lost[0],
    moment: 'after',
    first: 1,
    times: 1,
  });
  const items = [
    { sku: 'A', title: 'A', priceCents: 1 },
    { sku: 'B', priceCents: -1 },
  ];
  const answer = await brand.send('POST', '/products?match=sku', { products: items }, { db });
  expect([answer.status, calls()]).toEqual([400, 2]);
  expect(await brand.list('/products')).toEqual([]);
});
