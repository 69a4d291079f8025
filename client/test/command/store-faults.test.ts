import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Secrets } from '../../src/stores/secrets.ts';
import { Failure } from '../../../common/failure.ts';
import type { CollectionName } from '../../src/fields.ts';
import { isJsonObject } from '../../src/stores/json-values.ts';
import { TESTED_STORES } from '../fixtures/stores.ts';
import type { Finished } from '../../../test/node/processes.ts';
import { all } from '../outcomes.ts';
import { connected } from './connected-stand-in.ts';
import type { WhenFinished } from './listening.ts';
import { STAND_INS, things } from './stand-ins.ts';

// What the host of every store does at times. Each fault is tried at each request of a sync that deletes: of a list from which
// the store leaves out a product that it has, so that it is asked about that too.

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

/** One run of the command, and what is in the service after it. */
interface Run extends Finished {
  readonly asked: number;
}

interface Disturbance {
  readonly collection?: CollectionName;
  readonly lasts?: boolean;
}

const DELETING = ['--json', '--delete', '--max-delete', '100%'];

describe.each(TESTED_STORES)('sync --from $name, if the store gives', (store) => {
  /**
   * Runs it with a fault at each request in turn.
   * @param lasts whether the requests after that get it too
   */
  async function disturbed(
    fault: Fault,
    { lasts = false, collection = 'products' }: Disturbance,
    whenFinished: WhenFinished,
  ): Promise<Run[]> {
    const {
      sync,
      client,
      sell,
      hide,
      env,
      secrets,
      baseUrl,
      fetch: ask,
    } = await connected(store, whenFinished);
    const texts = secrets.map((name) => env[name] ?? '');
    const isProducts = collection === 'products';
    const stored = (): Promise<unknown[]> =>
      isProducts ? all(client.products.list()) : all(client.couponCodes.list());
    const words = ['--collection', collection];
    sell(things(TOTAL - 2));
    expect(await sync(words)).toMatchObject({ code: 0 });
    const before = await stored();
    expect(before.length).toBeGreaterThan(isProducts ? TOTAL - 1 : 0);
    if (isProducts) hide(7);

    const run = async (at: number): Promise<Run> => {
      let asked = 0;
      let previous = '';
      let place = 'without a fault';
      const finished = await sync([...words, ...DELETING], {
        fetch: async (input, init) => {
          const response = await ask(input, init);
          const url = input instanceof Request ? input.url : String(input);
          if (url.startsWith(baseUrl)) return response;
          if (++asked > MOST) return new Response(null, { status: 401 });
          const answer = { response, text: await response.text(), previous, secrets: texts.join() };
          previous = answer.text;
          const isDisturbed = lasts ? asked >= at : asked === at;
          if (asked === at) place = `with the fault at request ${at}, ${url}`;
          return isDisturbed ? fault(answer) : new Response(answer.text, response);
        },
      });
      expect(asked, 'a list that is never complete is asked for again').toBeLessThanOrEqual(MOST);
      for (const text of texts) expect(JSON.stringify(finished), place).not.toContain(text);
      // The difference names the product and its field.
      expect(await stored(), place).toEqual(before);
      if (finished.code === 0) {
        const report: unknown = JSON.parse(finished.stdout);
        expect(report, place).toMatchObject({ created: 0, updated: 0, deleted: 0 });
      } else if (finished.stderr === '') {
        // It names what it did not see.
        expect(JSON.parse(finished.stdout), place).not.toMatchObject({ skipped: [] });
      } else {
        // A store that counts nothing may show what it lacks by doubts alone, of which there may be several.
        expect(finished.stderr, place).toMatch(/^(?:error: [^\n]+\n)+$/);
      }
      return { ...finished, asked };
    };

    const { asked, ...first } = await run(Infinity);
    const kept = isProducts ? [expect.anything()] : [];
    expect(JSON.parse(first.stdout)).toMatchObject({ kept });
    const runs: Run[] = [];
    for (let at = 1; at <= asked; at++) runs.push(await run(at));
    return runs;
  }

  it.concurrent.for(PASSING)(
    '%s once, as if nothing was',
    async ([, fault], { onTestFinished }) => {
      const runs = await disturbed(fault, {}, onTestFinished);
      expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual(runs.map(() => [0, '']));
    },
  );

  it.concurrent.for(REFUSALS)('%s, which it says', async ([, fault, says], { onTestFinished }) => {
    const runs = await disturbed(fault, { lasts: true }, onTestFinished);
    expect(runs.map(({ code }) => code)).toEqual(runs.map(() => 1));
    for (const { stderr } of runs) expect(stderr).toMatch(says);
  });

  it.concurrent.for(WRONG)('%s once, and loses nothing', async ([, fault], { onTestFinished }) => {
    for (const collection of store.collections) {
      await disturbed(fault, { collection }, onTestFinished);
    }
  });

  it('what it has of another product when it is asked for one, which is no answer', async () => {
    const { sync, client, sell, hide, baseUrl, fetch: ask } = await connected(store);
    sell(things(20));
    expect(await sync([])).toMatchObject({ code: 0 });
    hide(7);
    const other = (text: string): string => text.replace(/\b7\b/g, '8');
    const { code, stderr } = await sync(DELETING, {
      fetch: async (input, init) => {
        const request = new Request(input, init);
        const { method, url, headers } = request;
        if (url.startsWith(baseUrl)) return ask(request);
        const body = method === 'GET' ? null : other(await request.text());
        return ask(other(url), { method, headers, body });
      },
    });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: [^\n]+\n$/)]);
    expect(await all(client.products.list())).toHaveLength(22);
  });
});

// The command hides them once more. A program that uses the reader alone has nothing else.
it.each(TESTED_STORES)('The reader of $name hides what is secret', async (store) => {
  const { env, secrets } = await connected(store);
  const texts = secrets.map((name) => env[name] ?? '');
  const said = JSON.stringify({ error: texts.join(), message: texts.join(), errors: texts });
  for (const status of [200, 400, 401, 403, 404, 422]) {
    for (const body of [said, `<html>${said}</html>`]) {
      const reader = store.connect({
        env,
        signal: new AbortController().signal,
        collection: 'products',
        secrets: new Secrets(),
        fetch: () => Promise.resolve(new Response(body, { status })),
      });
      const error = await reader.read().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Failure);
      for (const text of texts) expect(inspect(error)).not.toContain(text);
    }
  }
});

it('Each store has a stand-in', () => {
  expect(Object.keys(STAND_INS).sort()).toEqual(TESTED_STORES.map(({ name }) => name).sort());
});
