import { expect, it } from 'vitest';
import { eventually } from '../../test/support/eventually.ts';
import { CALLS } from './client-calls.ts';
import { connectNowhere } from './connected.ts';

/** Long enough for a slow machine, and less than any time limit by default. */
const SOON = 5000;

const answer = (): Response => Response.json({ brand: {} });

/** What a call rejects with, which must be soon. */
async function rejection(call: Promise<unknown>): Promise<unknown> {
  const start = performance.now();
  const reason = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(performance.now() - start).toBeLessThan(SOON);
  return reason;
}

it.each([
  ['response', 'hangs' as const],
  ['end of the body', new Response(new ReadableStream())],
])(
  'The time limit of the client ends a request that gets no whole response, and retries it: no %s',
  async (_, delivery) => {
    const { client, network } = connectNowhere({ timeout: 50 }, delivery, answer());
    await client.profile.get();
    expect(network.sent).toHaveLength(2);
  },
);

it.each(Object.entries(CALLS))(
  'The time limit of a call wins over that of the client: %s',
  async (_, call) => {
    const { client, network } = connectNowhere({ timeout: 60_000, tries: 1 }, 'hangs');
    const error = await rejection(call(client, { timeout: 20 }));
    expect(error).toMatchObject({ status: undefined, cause: { name: 'TimeoutError' } });
    expect(network.sent).toHaveLength(1);
  },
);

it.each([Infinity, 2 ** 40])('The time limit can be of any length: %d', async (timeout) => {
  const { client, network } = connectNowhere({ timeout }, answer());
  await client.profile.get();
  expect(network.sent).toHaveLength(1);
});

it('An AbortSignal that is already aborted prevents the request', async () => {
  const reason = new Error('No more.');
  const signal = AbortSignal.abort(reason);
  for (const [ofClient, ofCall] of [
    [{ signal }, {}],
    [{}, { signal }],
  ]) {
    const { client, network } = connectNowhere({ ...ofClient });
    await expect(client.profile.get(ofCall)).rejects.toBe(reason);
    expect(network.sent).toEqual([]);
  }
});

it('An AbortSignal of the client or of the call ends a request under way', async () => {
  for (const whose of ['client', 'call']) {
    const end = new AbortController();
    const options = { signal: end.signal };
    const [ofClient, ofCall] = whose === 'client' ? [options, {}] : [{}, options];
    const { client, network } = connectNowhere(ofClient, 'hangs');
    const rejected = rejection(client.profile.get(ofCall));
    await eventually(() => {
      expect(network.sent).toHaveLength(1);
    });
    end.abort();
    expect(await rejected).toBe(end.signal.reason);
    expect(network.sent).toHaveLength(1);
  }
});

it('An AbortSignal ends the wait before a retry', async () => {
  const headers = { 'Retry-After': '60' };
  const { client, network } = connectNowhere({}, Response.json({}, { status: 503, headers }));
  const end = new AbortController();
  const rejected = rejection(client.profile.get({ signal: end.signal }));
  await eventually(() => {
    expect(network.received).toHaveLength(1);
  });
  end.abort();
  expect(await rejected).toBe(end.signal.reason);
  expect(network.sent).toHaveLength(1);
});

it('An AbortSignal reaches the fetch that is used', async () => {
  const signals: (AbortSignal | null | undefined)[] = [];
  const end = new AbortController();
  const hangs: typeof fetch = async (_, init) => {
    signals.push(init?.signal);
    end.abort();
    return new Promise(() => undefined);
  };
  const { client } = connectNowhere({ fetch: hangs });
  await rejection(client.profile.get({ signal: end.signal }));
  expect(signals).toMatchObject([{ aborted: true }]);
});
