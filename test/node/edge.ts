import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Agent, createServer, request as send, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { chooseCompression, compressedHeaders } from './edge-compression.ts';
import { normalizePath } from './edge-url.ts';

/** What to put the edge in front of. */
export interface EdgeOptions {
  /** Where the service is, `http://127.0.0.1:8787` for example. */
  readonly upstream: string;
  /** Whether responses are compressed, and their tags made weak; true by default, as on Cloudflare. */
  readonly compress?: boolean;
}

/** A request as the service received it. */
export interface Forwarded {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** Whether the service has sent the whole response. */
  isAnswered: boolean;
}

/** What stands before a Worker. */
export interface Edge {
  readonly url: string;
  /** The requests that reached the service, in order. */
  readonly forwarded: readonly Forwarded[];
  readonly close: () => Promise<void>;
}

const KIB = 1024;
const MIB = KIB * KIB;

// https://developers.cloudflare.com/workers/platform/limits/
const MAX_URL = 16 * KIB;
const MAX_HEADERS = 128 * KIB;
/** On the plans Free and Pro. A body that does not say its length, the service itself refuses long before. */
const MAX_BODY = 100 * MIB;

// RFC 9110, 7.6.1.
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

// https://developers.cloudflare.com/fundamentals/reference/http-headers/, "Removed response headers"
const REMOVED = /^x-accel-(?:buffering|charset|limit-rate|redirect)$/;

/**
 * Starts a server that does to requests and responses what Cloudflare's documentation says that Cloudflare does before a
 * Worker. It caches nothing: no response of the service may be stored. It speaks HTTP/1.1 without TLS.
 */
export async function startEdge({ upstream, compress = true }: EdgeOptions): Promise<Edge> {
  const { hostname, port } = new URL(upstream);
  const agent = new Agent({ keepAlive: true });
  const forwarded: Forwarded[] = [];

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const ray = `${randomBytes(8).toString('hex')}-XXX`;
    const refusal = refuse(request);
    if (refusal !== undefined) {
      answerItself(response, refusal, ray);
      return;
    }
    const entry = forwardedRequest(request, ray);
    const { method, path } = entry;
    forwarded.push(entry);
    const outgoing = send({ agent, hostname, port, method, path, headers: flat(entry.headers) });
    // https://developers.cloudflare.com/support/troubleshooting/http-status-codes/1xx-informational/:
    // a 100 is passed on, never generated.
    outgoing.on('continue', () => {
      response.writeContinue();
    });
    outgoing.on('response', (incoming) => {
      incoming.on('end', () => {
        entry.isAnswered = true;
      });
      void passBack(request, incoming, response, { compress, ray });
    });
    response.on('close', () => {
      outgoing.destroy();
    });
    pipeline(request, outgoing).catch(() => {
      // Once the service has answered, what else the client sends is lost, and nobody minds.
      if (!response.headersSent) answerItself(response, 502, ray);
    });
  };

  const server = createServer({ maxHeaderSize: MAX_HEADERS }, handle);
  server.on('checkContinue', handle);
  server.on('clientError', refuseMalformed);
  const url = await listen(server);
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    agent.destroy();
    await once(server, 'close');
  };
  return { url, forwarded, close };
}

/** The status with which the edge refuses a request by itself; undefined where it passes it on. */
function refuse({ url = '', headers }: IncomingMessage): number | undefined {
  if (!url.startsWith('/')) return 400;
  if (url.length > MAX_URL) return 414;
  if (Number(headers['content-length'] ?? 0) > MAX_BODY) return 413;
  return undefined;
}

function forwardedRequest(request: IncomingMessage, ray: string): Forwarded {
  const { method = '', url = '' } = request;
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  return {
    method,
    path: normalizePath(path) + (query < 0 ? '' : url.slice(query)),
    headers: requestHeaders(request, ray),
    isAnswered: false,
  };
}

/** https://developers.cloudflare.com/fundamentals/reference/http-headers/, "Request headers" */
function requestHeaders(request: IncomingMessage, ray: string): Map<string, string> {
  const received = endToEnd(request);
  const address = request.socket.remoteAddress ?? '';
  const via = received.get('x-forwarded-for');
  // Names that NGINX takes for invalid may be removed.
  for (const name of received.keys()) if (!/^[\w-]+$/.test(name)) received.delete(name);
  received
    // A Worker reads `br, gzip` whatever comes: the local runtime sees to that. Here stands what the runtime itself may do:
    // it would compress for the client and leave the tag strong, as nothing on Cloudflare does.
    .set('accept-encoding', 'identity')
    .set('cdn-loop', 'cloudflare')
    .set('cf-connecting-ip', address)
    .set('cf-ipcountry', 'XX')
    .set('cf-ray', ray)
    .set('cf-visitor', '{"scheme":"http"}')
    .set('connection', 'Keep-Alive')
    .set('x-forwarded-for', via === undefined ? address : `${via},${address}`)
    .set('x-forwarded-proto', 'http');
  if (request.headers['transfer-encoding'] !== undefined) {
    received.set('transfer-encoding', 'chunked');
  }
  return received;
}

/** The headers that are meant for the other end, by lower-case name. */
function endToEnd({ headers, headersDistinct }: IncomingMessage): Map<string, string> {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const kept = new Map<string, string>();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    // An intermediary may combine repeated headers (RFC 9110, 5.3).
    if (!HOP_BY_HOP.has(name) && !named.includes(name)) kept.set(name, values.join(', '));
  }
  return kept;
}

function flat(headers: ReadonlyMap<string, string>): string[] {
  return Array.from(headers).flat();
}

async function passBack(
  request: IncomingMessage,
  incoming: IncomingMessage,
  response: ServerResponse,
  { compress, ray }: { readonly compress: boolean; readonly ray: string },
): Promise<void> {
  const { statusCode: status = 502 } = incoming;
  const headers = endToEnd(incoming);
  for (const name of headers.keys()) if (REMOVED.test(name)) headers.delete(name);
  // https://developers.cloudflare.com/fundamentals/reference/http-headers/, "Added response headers"
  headers.set('cf-ray', ray).set('server', 'cloudflare');
  const acceptEncoding = request.headers['accept-encoding'] ?? '';
  const received = { method: request.method ?? '', status, headers };
  const algorithm = compress ? chooseCompression(received, acceptEncoding) : undefined;
  const sent = algorithm === undefined ? headers : compressedHeaders(headers, algorithm);
  response.writeHead(status, flat(sent));
  // The head leaves before the body is there.
  response.flushHeaders();
  // A response that breaks off, breaks off for the client too: `pipeline` destroys its connection.
  await (
    algorithm === undefined
      ? pipeline(incoming, response)
      : pipeline(incoming, algorithm.create(), response)
  ).catch(() => undefined);
}

/** Cloudflare's own errors are pages in HTML. */
function page(status: number): string {
  return `<html><head><title>${status} ${STATUS_CODES[status] ?? ''}</title></head><body><center><h1>${status} ${STATUS_CODES[status] ?? ''}</h1></center><hr><center>cloudflare</center></body></html>`;
}

function answerItself(response: ServerResponse, status: number, ray: string): void {
  response.writeHead(status, {
    'content-type': 'text/html',
    'cf-ray': ray,
    server: 'cloudflare',
    connection: 'close',
  });
  response.end(page(status));
}

/** Malformed framing, and headers above the limit, never reach a Worker. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) return;
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
  const body = page(status);
  const headers = `content-type: text/html\r\ncontent-length: ${body.length}\r\nconnection: close`;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${headers}\r\n\r\n${body}`);
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The edge has no port.');
  return `http://127.0.0.1:${address.port}`;
}
