import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, zstdDecompress } from 'node:zlib';

/** A request that is sent unchanged: no header is added, no path is normalized. */
export interface PlainRequest {
  readonly method?: string;
  /** The path, including the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A response with its decoded body. */
export interface PlainResponse {
  readonly status: number;
  /** The headers, by lower-case name. */
  readonly headers: Headers;
  readonly text: string;
  /** The encoded bytes of the body. */
  readonly size: number;
}

const DECODERS = new Map<string, (bytes: Buffer) => Promise<Buffer>>([
  ['br', promisify(brotliDecompress)],
  ['gzip', promisify(gunzip)],
  ['zstd', promisify(zstdDecompress)],
]);

/** Sends a request and reads the whole response. */
export async function sendPlain(url: string, plain: PlainRequest): Promise<PlainResponse> {
  const incoming = await open(url, plain);
  const bytes = await buffer(incoming);
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(incoming.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  const decode = DECODERS.get(headers.get('content-encoding') ?? '');
  const isPlain = decode === undefined || bytes.byteLength === 0;
  const text = (isPlain ? bytes : await decode(bytes)).toString();
  return { status: incoming.statusCode ?? 0, headers, text, size: bytes.byteLength };
}

/** Sends a request, and returns the response when its headers have arrived. */
export function open(url: string, plain: PlainRequest): Promise<IncomingMessage> {
  const { method = 'GET', path, headers = {}, body } = plain;
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, method, path, headers, agent: false });
    outgoing.on('response', resolve).on('error', reject).end(body);
  });
}
