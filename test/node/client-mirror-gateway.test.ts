import { beforeAll, expect, it } from 'vitest';
import { BrandClient } from '../../client/src/index.ts';
import { FakeStore, inService } from './fake-store.ts';
import { keptMirror } from './kept-mirror.ts';
import { failure } from './outcomes.ts';
import type { SharedServer } from './shared-server.ts';
import { shareServer } from './shared-server.ts';

// A mirror whose requests meet a gateway that answers in the service's place. Its statuses say nothing about a product.

let server: SharedServer;

beforeAll(async () => {
  server = await shareServer();
});

const BODIES = [
  'default backend - 404',
  '<h1>Gone</h1>',
  '{"message":"no Route matched"}',
  '',
  '{"timestamp":"2026-01-31","status":404,"error":"Not Found"}',
];

/** A store that has a product in common with the service, and the runs of its mirror. */
async function side(): Promise<{
  readonly store: FakeStore;
  readonly direct: BrandClient;
  /** Runs the mirror. The gateway answers the requests of a method and a path with a status and a body. */
  readonly run: (gateway?: Gateway) => Promise<number>;
}> {
  const [apiKey, baseUrl] = [await server.newBrand(), `http://127.0.0.1:${server.port}`];
  const store = new FakeStore();
  let behind: typeof fetch = fetch;
  const runOnce = keptMirror(
    store,
    () => new BrandClient({ apiKey, baseUrl, fetch: behind }),
    () => undefined,
  );
  const run = async (gateway?: Gateway): Promise<number> => {
    let answered = 0;
    let left = gateway?.skipped ?? 0;
    behind = async (input, init) => {
      const request = new Request(input, init);
      if (request.method !== gateway?.method || !gateway.path.test(request.url)) {
        return fetch(request);
      }
      if (left-- > 0) return fetch(request);
      answered++;
      const { body, status } = gateway;
      return new Response(body, { status, headers: { 'Content-Type': 'text/plain' } });
    };
    try {
      await runOnce();
    } catch (error) {
      expect(answered).toBe(1);
      throw error;
    }
    return answered;
  };
  store.put('A', 'Apple', 1);
  await run();
  return { store, direct: new BrandClient({ apiKey, baseUrl }), run };
}

interface Gateway {
  readonly method: string;
  readonly path: RegExp;
  /** How many such requests reach the service before. */
  readonly skipped?: number;
  readonly status: number;
  readonly body: string;
}

const FEED = /\/products\?since=/;

/** The first looks at the product, the second deletes it. */
const PUSH = /\/products\?match=id$/;
const REQUESTS_OF_A_DELETION = [
  { name: 'the look at the product', skipped: 0 },
  { name: 'its push', skipped: 1 },
];

it.each(
  REQUESTS_OF_A_DELETION.flatMap((request) =>
    [404, 409, 410, 412].map((status) => ({ ...request, status })),
  ),
)('loses no deletion: $name is $status', async ({ skipped, status }) => {
  for (const body of BODIES) {
    const { store, direct, run } = await side();
    store.delete('A');
    const error = await failure(run({ method: 'POST', path: PUSH, skipped, status, body }));
    expect(error).toMatchObject({ status, isFromService: false });
    expect([...(await inService(direct)).keys()]).toEqual(['A']);
    await run();
    expect((await inService(direct)).size).toBe(0);
    expect(store.items.size).toBe(0);
  }
});

it('does not take a 410 for a loss, and does not start again', async () => {
  for (const body of BODIES) {
    const { store, direct, run } = await side();
    const [writes, before] = [store.writes, await inService(direct)];
    const error = await failure(run({ method: 'GET', path: FEED, status: 410, body }));
    expect(error).toMatchObject({ status: 410, isFromService: false });
    await run();
    expect([store.writes, await inService(direct)]).toEqual([writes, before]);
  }
});
