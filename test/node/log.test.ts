import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import type { OwnServer } from './server.ts';
import { startServer } from './own-server.ts';
import { startWorkerd } from './workerd.ts';

// However a connection ends, the log has one line for its request.

const SERVICE = 'test/support/faulty-service.ts';
const BASE = '/api/brand/v1';
const UNKNOWN = '00000000-0000-7000-8000-000000000000';

const lineSchema = z.object({
  requestId: z.string(),
  status: z.int(),
  ended: z.enum(['complete', 'aborted', 'stalled', 'failed']),
  brandId: z.string().optional(),
  d1Calls: z.int().optional(),
  rowsRead: z.int().optional(),
});
type Line = z.infer<typeof lineSchema>;

/** A request whose client disconnects. */
interface Dropped {
  readonly name: string;
  readonly path: string;
  /** The part of the body that is sent, with its framing header; absent for a GET. */
  readonly body?: string;
  /** The fault of D1, as named in `faulty-service.ts`. */
  readonly d1?: string;
  /** When the client disconnects: milliseconds after the request arrived at the Worker, or when the first bytes of the response arrive. */
  readonly after: number | 'first bytes';
  /** How the client disconnects: a FIN in both directions, or a RST. */
  readonly by: 'FIN' | 'RST';
  /** How the request ends for workerd itself. A proxy in front may hide the disconnect. */
  readonly ended?: Line['ended'];
}

const ways = ['FIN', 'RST'] as const;
const inLength = 'Content-Length: 999\r\n\r\n{"title":';
const inChunks = 'Transfer-Encoding: chunked\r\n\r\n9\r\n{"title":\r\n';

const DROPPED: readonly Dropped[] = ways.flatMap((by): Dropped[] => [
  ...[0, 1, 2, 3, 4, 5].map((n): Dropped => ({
    name: `while it receives the list, ${n}`,
    path: '/products',
    after: 'first bytes',
    by,
    ended: 'aborted',
  })),
  // Without reading a byte of it.
  ...[700, 1200].map((after): Dropped => ({
    name: `${after} ms into a list that it does not read`,
    path: '/products',
    after,
    by,
    ended: 'aborted',
  })),
  ...[10, 300, 600, 900].map((after): Dropped => ({
    name: `before the first byte, after ${after} ms`,
    path: '/profile',
    d1: 'takes a second',
    after,
    by,
    // A FIN alone can mean that the client only stopped sending.
    ...(by === 'RST' && { ended: 'aborted' }),
  })),
  {
    name: 'before the first byte of the list',
    path: '/products?syncStatus=NOT_LINKED',
    d1: 'takes a second',
    after: 300,
    by: 'FIN',
    ended: 'aborted',
  },
  ...[inLength, inChunks].flatMap((body) =>
    [0, 300].map((after): Dropped => ({
      name: `while it sends ${body.slice(0, 17)}, after ${after} ms`,
      path: '/products',
      body,
      after,
      by,
    })),
  ),
]);

/** A request whose response the client reads. */
interface Awaited {
  readonly name: string;
  readonly path: string;
  readonly method?: string;
  readonly body?: string;
  readonly d1?: string;
  readonly key?: string;
  readonly status: number;
  readonly ended: Line['ended'];
}

const AWAITED: readonly Awaited[] = [
  { name: 'a resource', path: '/profile', status: 200, ended: 'complete' },
  { name: 'a whole list', path: '/products', status: 200, ended: 'complete' },
  { name: 'a page', path: '/products?limit=1', status: 200, ended: 'complete' },
  {
    name: 'HEAD of a long list',
    path: '/products',
    method: 'HEAD',
    status: 200,
    ended: 'complete',
  },
  { name: 'HEAD of a resource', path: '/profile', method: 'HEAD', status: 200, ended: 'complete' },
  { name: 'OPTIONS', path: '/profile', method: 'OPTIONS', status: 204, ended: 'complete' },
  {
    name: 'a creation',
    path: '/coupon-codes',
    method: 'POST',
    body: '{"code":"A","discountPercent":1}',
    status: 201,
    ended: 'complete',
  },
  {
    name: 'a bad body',
    path: '/coupon-codes',
    method: 'POST',
    body: '{',
    status: 400,
    ended: 'complete',
  },
  { name: 'a bad key', path: '/profile', key: 'x', status: 401, ended: 'complete' },
  { name: 'an unknown path', path: '/nothing', status: 404, ended: 'complete' },
  { name: 'an unknown id', path: `/products/${UNKNOWN}`, status: 404, ended: 'complete' },
  { name: 'a wrong method', path: '/profile', method: 'DELETE', status: 405, ended: 'complete' },
  { name: 'a bug', path: '/profile', d1: 'has a bug', status: 500, ended: 'complete' },
  {
    name: 'an overloaded D1 in the middle of a list',
    path: '/products',
    d1: 'fails from the second call on',
    status: 200,
    ended: 'failed',
  },
];

describe.each([
  { place: 'workerd itself', start: () => startWorkerd(SERVICE), isProxied: false },
  { place: 'wrangler dev', start: () => startServer(SERVICE), isProxied: true },
])('The log of $place', ({ start, isProxied }) => {
  let server: Omit<OwnServer, 'group'>;

  beforeAll(async () => {
    server = await start();
    // More than sockets and proxies can buffer.
    const description = 'x'.repeat(2500);
    for (let request = 0; request < 12; request++) {
      const products = Array.from({ length: 500 }, (_, n) => ({
        title: `P${n}`,
        priceCents: n,
        description,
      }));
      const { status } = await fetch(`http://127.0.0.1:${server.port}${BASE}/products`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${server.apiKey}` },
        body: JSON.stringify({ products }),
      });
      expect(status).toBe(201);
    }
  });

  afterAll(async () => {
    await server.stop();
  });

  /** Waits for a line with a request id, and returns all such lines shortly afterwards. */
  async function linesOf(requestId: string): Promise<Line[]> {
    const lines = (): Line[] =>
      server
        .log()
        .split('\n')
        .filter((text) => text.startsWith('{') && text.includes(`"${requestId}"`))
        .map((text) => lineSchema.safeParse(JSON.parse(text)))
        .flatMap(({ data }) => data ?? []);
    await vi.waitFor(
      () => {
        expect(lines()).not.toHaveLength(0);
      },
      { timeout: 20_000, interval: 50 },
    );
    await wait(200);
    return lines();
  }

  it.concurrent.each(AWAITED)(
    'has one line for $name',
    async ({ path, method, body, d1, key, status, ended }) => {
      const requestId = crypto.randomUUID();
      const response = await fetch(`http://127.0.0.1:${server.port}${BASE}${path}`, {
        ...(method !== undefined && { method }),
        ...(body !== undefined && { body }),
        headers: {
          Authorization: `Bearer ${key ?? server.apiKey}`,
          'X-Request-Id': requestId,
          ...(d1 !== undefined && { 'X-Test-D1': d1 }),
        },
      });
      expect(response.status).toBe(status);
      const text = await response.text();
      // workerd ends an aborted body as if it were complete, but it is not valid JSON.
      if (ended === 'failed') expect(isJson(text)).toBe(false);
      const lines = await linesOf(requestId);
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatchObject({ status, ended });
    },
  );

  it.concurrent.each(DROPPED)(
    'has one line if the client disconnects $name ($by)',
    async (dropped) => {
      const requestId = crypto.randomUUID();
      await drop(server, requestId, dropped);
      const lines = await linesOf(requestId);
      expect(lines).toHaveLength(1);
      const [line] = lines;
      expect(line?.brandId).toBeDefined();
      expect(line?.d1Calls).toBeGreaterThan(0);
      expect(line?.rowsRead).toBeGreaterThan(0);
      if (dropped.ended !== undefined && !isProxied) expect(line?.ended).toBe(dropped.ended);
    },
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Sends a request and disconnects. */
async function drop(
  { port, apiKey, log }: Pick<OwnServer, 'port' | 'apiKey' | 'log'>,
  requestId: string,
  { path, body, d1, after, by }: Dropped,
): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  // The server may notice first.
  socket.on('error', () => undefined);
  const head = [
    `${body === undefined ? 'GET' : 'POST'} ${BASE}${path} HTTP/1.1`,
    'Host: api.test',
    `Authorization: Bearer ${apiKey}`,
    `X-Request-Id: ${requestId}`,
    ...(d1 === undefined ? [] : [`X-Test-D1: ${d1}`]),
  ];
  socket.write(`${head.join('\r\n')}\r\n${body ?? '\r\n'}`);
  if (after === 'first bytes') {
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause();
  } else {
    // A RST discards what workerd has not read yet, so the request would not arrive.
    await vi.waitFor(
      () => {
        expect(log()).toContain(`{"arrived":"${requestId}"}`);
      },
      { timeout: 20_000, interval: 5 },
    );
    await wait(after);
  }
  if (by === 'RST') socket.resetAndDestroy();
  else socket.destroy();
}
