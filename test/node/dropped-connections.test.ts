import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { eventually } from '../support/eventually.ts';
import { startWorkerd } from './workerd.ts';

// However a client disconnects, the log has one line for its request. test/log.test.ts has the lines of responses that are
// read; only a real connection can end in the middle.

const BASE = '/api/brand/v1';
const inLength = 'Content-Length: 999\r\n\r\n{"title":';
const inChunks = 'Transfer-Encoding: chunked\r\n\r\n9\r\n{"title":\r\n';

/** A request whose client disconnects. */
interface Dropped {
  readonly when: string;
  readonly path: string;
  /** The part of the body that is sent, with its framing header; absent for a GET. */
  readonly body?: string;
  readonly isSlow?: true;
  /** When the client disconnects: milliseconds after the request arrived at the Worker, or when the first bytes of the response arrive. */
  readonly after: number | 'first bytes';
  /** What the line says, if that is certain: a FIN alone can mean that the client only stopped sending. */
  readonly ended?: 'aborted';
}

const DROPPED: readonly Dropped[] = [
  { when: 'while it receives', path: '/products', after: 'first bytes', ended: 'aborted' },
  { when: 'without reading', path: '/products', after: 700, ended: 'aborted' },
  { when: 'before the first byte', path: '/profile', isSlow: true, after: 300 },
  { when: 'while it sends so many bytes', path: '/products', body: inLength, after: 300 },
  { when: 'while it sends chunks', path: '/products', body: inChunks, after: 0 },
];

const lineSchema = z.object({
  ended: z.enum(['complete', 'aborted', 'stalled', 'failed']),
  brandId: z.string(),
  d1Calls: z.int().positive(),
  rowsRead: z.int().positive(),
});

let server: Awaited<ReturnType<typeof startWorkerd>>;

beforeAll(async () => {
  server = await startWorkerd('test/support/slow-service.ts');
  // More than sockets can buffer.
  const product = { title: 'P', priceCents: 1, description: 'x'.repeat(2500) };
  const body = JSON.stringify({ products: Array.from({ length: 500 }, () => product) });
  const headers = { Authorization: `Bearer ${server.apiKey}` };
  for (let request = 0; request < 12; request++) {
    const url = `http://127.0.0.1:${server.port}${BASE}/products`;
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(201);
  }
});

afterAll(() => server.stop());

it.concurrent.each(
  (['FIN', 'RST'] as const).flatMap((by) => DROPPED.map((dropped) => ({ ...dropped, by }))),
)('The log has one line if the client disconnects: $when, $by', async ({ by, ...dropped }) => {
  const requestId = crypto.randomUUID();
  await drop(requestId, by, dropped);
  const lines = (): string[] =>
    server
      .log()
      .split('\n')
      .filter((text) => text.includes(`"requestId":"${requestId}"`));
  await eventually(() => {
    expect(lines()).not.toHaveLength(0);
  });
  await wait(200);
  expect(lines()).toHaveLength(1);
  const line = lineSchema.parse(JSON.parse(lines()[0] ?? ''));
  if (dropped.ended !== undefined) expect(line.ended).toBe(dropped.ended);
});

/** Sends a request and disconnects, with a FIN in both directions or with a RST. */
async function drop(
  requestId: string,
  by: 'FIN' | 'RST',
  { path, body, isSlow, after }: Dropped,
): Promise<void> {
  const socket = connect(server.port, '127.0.0.1');
  // The server may notice first.
  socket.on('error', () => undefined);
  const head = [
    `${body === undefined ? 'GET' : 'POST'} ${BASE}${path} HTTP/1.1`,
    'Host: api.test',
    `Authorization: Bearer ${server.apiKey}`,
    `X-Request-Id: ${requestId}`,
    ...(isSlow ? ['X-Test-Slow: 1'] : []),
  ];
  socket.write(`${head.join('\r\n')}\r\n${body ?? '\r\n'}`);
  if (after === 'first bytes') {
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause();
  } else {
    // A RST discards what workerd has not read yet, so the request would not arrive.
    await eventually(() => {
      expect(server.log()).toContain(`{"arrived":"${requestId}"}`);
    });
    await wait(after);
  }
  if (by === 'RST') socket.resetAndDestroy();
  else socket.destroy();
}
