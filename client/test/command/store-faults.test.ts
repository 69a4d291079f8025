import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Failure } from '../../../common/failure.ts';
import { ownedBy } from '../../src/command/commands/sync/responsibility.ts';
import type { CollectionName } from '../../src/fields.ts';
import { contentOf } from '../../src/stores/content.ts';
import type { JsonObject } from '../../src/stores/json-values.ts';
import { isJsonObject } from '../../src/stores/json-values.ts';
import type { AnyResource } from '../../src/stores/source.ts';
import type { Store } from '../../src/stores/store.ts';
import { TESTED_STORES } from '../fixtures/stores.ts';
import type { AnyStandIn } from './any-stand-in.ts';
import { secretsOf } from './connected-stand-in.ts';
import { passed } from './passing-time.ts';
import { connectedTo, readStore, whyUnread } from './read-store.ts';
import { STAND_INS, standInOf, things } from './stand-ins.ts';

// What the host of every store does at times. Each fault is tried at each request of what a sync asks the reader: of a list from
// which the store leaves out a product that it has, so that it is asked about that too.

/** The store's own answer, with the one before it; returns what arrives in its place. */
type Fault = (answer: Answer) => Response;

interface Answer {
  readonly response: Response;
  readonly text: string;
  readonly previous: string;
  /** All secrets of the environment. */
  readonly secrets: string;
}

function status(number: number, headers: Readonly<Record<string, string>> = {}): Fault {
  return ({ secrets }) => new Response(`<html>${secrets}</html>`, { status: number, headers });
}

/** Gives an answer of the store with another text. */
function instead(textOf: (answer: Answer) => string): Fault {
  return (answer) =>
    new Response(textOf(answer), {
      status: answer.response.status,
      headers: answer.response.headers,
    });
}

/** Changes all lists in a text: JSON, or a file with an object in each line. */
function withLists(text: string, change: (list: readonly unknown[]) => readonly unknown[]): string {
  const changed = (value: unknown): unknown => {
    if (Array.isArray(value)) return change(value).map(changed);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, changed(one)]));
  };
  try {
    return JSON.stringify(changed(JSON.parse(text)));
  } catch {
    return change(text.trimEnd().split('\n'))
      .map((line) => `${String(line)}\n`)
      .join('');
  }
}

/**
 * After these the same request has an answer: nothing is to be seen of them. Which statuses are such, and how long to wait, is
 * proved in stores-requests.test.ts.
 */
const PASSING: readonly (readonly [string, Fault])[] = [
  ['502', status(502)],
  [
    'an answer that breaks off',
    ({ response, text }) => {
      const half = new TextEncoder().encode(text.slice(0, text.length / 2));
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          controller.enqueue(half);
        },
        pull: (controller) => {
          controller.error(new TypeError('terminated'));
        },
      });
      return new Response(body, response);
    },
  ],
  [
    'no answer',
    () => {
      throw new TypeError('fetch failed');
    },
  ],
];

/** With these there is no sync, and the sentence says why. */
const REFUSALS: readonly (readonly [string, Fault, RegExp])[] = [
  ['401', status(401), /401/],
  ['403', status(403), /403/],
  ['429 for hours', status(429, { 'Retry-After': '7200' }), /in 120 minutes/],
  ['a redirect', status(302, { Location: 'https://elsewhere.example/login' }), /redirects/],
];

/** What platforms say of an address that they do not have. */
const NO_ROUTE = { error: 'Not found', errors: 'Not Found', code: 'rest_no_route', message: 'No' };

/** These say something wrong. It may be noticed, or do no harm. */
const WRONG: readonly (readonly [string, Fault])[] = [
  ['a page of HTML', status(200)],
  ['a page of HTML for 404', status(404)],
  ['an empty object', instead(() => '{}')],
  ['an empty object for 404', () => Response.json({}, { status: 404 })],
  ['the error of another route', () => Response.json(NO_ROUTE, { status: 404 })],
  ['half a JSON text', instead(({ text }) => text.slice(0, text.length / 2))],
  ['empty lists', instead(({ text }) => withLists(text, () => []))],
  ['lists that lack an entry', instead(({ text }) => withLists(text, (list) => list.slice(1)))],
  ['the answer before', instead(({ previous }) => previous)],
];

/** How many products a store has: more than a page. */
const TOTAL = 122;

/** How many requests a run makes at most. One without end is refused, so that it ends. */
const MOST = 1000;

/** A store, and the resources that the service has of it. */
interface Stocked {
  readonly standIn: AnyStandIn;
  /** The secrets in its environment. */
  readonly secrets: readonly string[];
  readonly collection: CollectionName;
  readonly resources: readonly AnyResource[];
}

/** What a sync learns of a store: its items, and why it keeps resources that they lack. */
interface Learned {
  readonly items: ReadonlyMap<unknown, JsonObject>;
  readonly kept: ReadonlyMap<string, string | undefined>;
}

interface Disturbance {
  readonly name: string;
  readonly fault: Fault;
  /** The number of the request that gets it. */
  readonly at: number;
  /** Whether those after it get it too. */
  readonly lasts?: boolean | undefined;
}

interface Run {
  readonly asked: number;
  /** Or the error. */
  readonly result: unknown;
}

/** Returns the secrets in the environment of a store. */
function secretsIn(store: Store, { env }: Pick<AnyStandIn, 'env'>): string[] {
  return secretsOf(store, env).map((name) => env[name] ?? '');
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe.each(TESTED_STORES)('$name', (store) => {
  function expectAsSold(items: readonly JsonObject[]): void {
    const gave = `the reader of ${store.name} gave ${items.length} of ${TOTAL} products`;
    expect(items.length, `${gave}: which pages did it leave out?`).toBe(TOTAL);
    const bySku = new Map(items.map((item) => [item['sku'], item]));
    for (const { number, title } of things(TOTAL - 2)) {
      const sku = `T-${number}`;
      const sold = { title, priceCents: 850, currencyCode: 'EUR' };
      expect(bySku.get(sku), `${sku} is not as it is sold`).toMatchObject(sold);
      bySku.delete(sku);
    }
    const stock = [...bySku.values()].map((item) => item['storeInventoryQuantity']);
    expect(stock, 'the stock of the shirt is not as it is sold').toEqual([2, 3]);
  }

  /** Starts a store, from whose list of products one is left out by now. */
  async function stocked(collection: CollectionName): Promise<Stocked> {
    const standIn = await standInOf(store);
    standIn.sell(things(TOTAL - 2));
    const { items, match = '' } = await readStore(store, standIn, { collection });
    if (collection === 'products') {
      expectAsSold(items);
      standIn.hide(7);
    } else {
      expect(items, `the reader of ${store.name} gave no ${collection}`).not.toEqual([]);
    }
    const resources = items.map((item) => ({ ...item, id: String(item[match]) }));
    return { standIn, secrets: secretsIn(store, standIn), collection, resources };
  }

  /** Reads it, and asks for what is missing, with a fault at a request. */
  async function run(
    { standIn, secrets, collection, resources }: Stocked,
    { name, fault, at, lasts }: Disturbance,
  ): Promise<Run> {
    let asked = 0;
    let previous = '';
    let place = 'without a fault';
    const connected = connectedTo(
      store,
      {
        env: standIn.env,
        fetch: async (input, init) => {
          const response = await standIn.fetch(input, init);
          if (++asked > MOST) return new Response(null, { status: 401 });
          const answer = {
            response,
            text: await response.text(),
            previous,
            secrets: secrets.join(),
          };
          previous = answer.text;
          const url = input instanceof Request ? input.url : String(input);
          if (asked === at) place = `${name} at request ${at}, ${url}`;
          const isDisturbed = lasts ? asked >= at : asked === at;
          return isDisturbed ? fault(answer) : new Response(answer.text, response);
        },
      },
      { collection },
    );
    const learn = async (): Promise<Learned> => {
      const content = contentOf({ store, content: await connected.read() }, { collection });
      const { match = '' } = content;
      const items = new Map(content.items.map((item) => [item[match], item]));
      for (const { id, ...resource } of resources) {
        // The difference names the product and its field.
        expect(items.get(id) ?? resource, place).toEqual(resource);
      }
      const isOwned = ownedBy(content, match, { collection });
      const missing = resources.filter((one) => !items.has(one.id) && isOwned(one));
      if (content.doubts.length > 0) return { items, kept: new Map() };
      const kept = new Map<string, string | undefined>();
      for (let first = 0; first < missing.length; first += 100) {
        const batch = missing.slice(first, first + 100);
        for (const [id, why] of await connected.confirm(batch)) kept.set(id, why);
      }
      // Of what is missing, nothing is taken for gone.
      expect([...kept.keys()], place).toEqual(missing.map(({ id }) => id));
      const gone = [...kept.keys()].filter((id) => kept.get(id) === undefined);
      expect(gone, `${place}: confirmed as gone, though the store has them`).toEqual([]);
      return { items, kept };
    };
    const { result } = await passed(learn(), 100);
    expect(asked, 'a list that is never complete is asked for again').toBeLessThanOrEqual(MOST);
    for (const text of secrets) expect(inspect(result), place).not.toContain(text);
    if (result instanceof Error) {
      if (!(result instanceof Failure)) throw result;
      expect(result.message, place).not.toContain('\n');
    }
    return { result, asked };
  }

  /** Runs it with a fault at each request in turn. */
  async function runs(
    of: Stocked,
    disturbance: Omit<Disturbance, 'at'>,
  ): Promise<[first: Run, ...Run[]]> {
    const first = await run(of, { ...disturbance, at: Infinity });
    const hidden = of.collection === 'products' ? [of.resources[6]?.id] : [];
    expect(first.result).toMatchObject({
      kept: new Map(hidden.map((id) => [id, expect.any(String)])),
    });
    const all: [Run, ...Run[]] = [first];
    for (let at = 1; at <= first.asked; at++) all.push(await run(of, { ...disturbance, at }));
    return all;
  }

  it.each(PASSING)(
    'A reader of a store that gives a fault once learns the same: %s',
    async (name, fault) => {
      const [{ result }, ...disturbed] = await runs(await stocked('products'), { name, fault });
      expect(disturbed.map((one) => one.result)).toEqual(disturbed.map(() => result));
    },
  );

  it.each(REFUSALS)('A reader of a store that refuses says so: %s', async (name, fault, says) => {
    const products = await stocked('products');
    const [, ...disturbed] = await runs(products, { name, fault, lasts: true });
    for (const { result } of disturbed) expect(String(result)).toMatch(says);
  });

  it.each(WRONG)(
    'A reader of a store that gives a wrong answer once takes nothing for gone, and nothing for another value: %s',
    async (name, fault) => {
      for (const collection of store.collections) {
        await runs(await stocked(collection), { name, fault });
      }
    },
  );

  it('A reader of a store that gives another product than it is asked for takes that for no answer', async () => {
    const { standIn, resources } = await stocked('products');
    const other = (text: string): string => text.replace(/\b7\b/g, '8');
    const { confirm } = connectedTo(store, {
      env: standIn.env,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        const { method, url, headers } = request;
        const body = method === 'GET' ? null : other(await request.text());
        return standIn.fetch(other(url), { method, headers, body });
      },
    });
    await expect(confirm(resources.slice(6, 7))).rejects.toThrow(Failure);
  });
});

// The command hides them once more. A program that uses the reader alone has nothing else.
it.each(TESTED_STORES)('A reader of a store hides what is secret: $name', async (store) => {
  const { env } = await standInOf(store);
  const texts = secretsIn(store, { env });
  const said = JSON.stringify({ error: texts.join(), message: texts.join(), errors: texts });
  for (const status of [200, 400, 401, 403, 404, 422]) {
    for (const body of [said, `<html>${said}</html>`]) {
      const answer = (): Promise<Response> => Promise.resolve(new Response(body, { status }));
      const why = await whyUnread(store, { env, fetch: answer });
      for (const text of texts) expect(why).not.toContain(text);
    }
  }
});

it('Each store has a stand-in', () => {
  expect(Object.keys(STAND_INS).sort()).toEqual(TESTED_STORES.map(({ name }) => name).sort());
});
