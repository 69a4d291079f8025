import { InvalidJson, PayloadTooLarge } from '../errors.ts';

/** The maximum size of the body of one resource, in bytes. */
export const RESOURCE_LIMIT = 256 * 1024;

/** The maximum size of the body of a list of resources, in bytes. */
export const LIST_LIMIT = 2 * 1024 * 1024;

/**
 * How much of a too large body without a `Content-Length` is read and discarded, in bytes. A client that is still
 * sending then receives the response and keeps its connection.
 */
const DRAIN_LIMIT = 16 * 1024 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** A JSON body: the parsed value and its bytes. */
export interface JsonBody {
  readonly value: unknown;
  readonly bytes: Uint8Array;
}

/**
 * Reads a body as JSON in UTF-8 (RFC 8259), regardless of `Content-Type`.
 * @param limit the maximum size in bytes, enforced regardless of `Content-Length`
 * @throws PayloadTooLarge, InvalidJson
 */
export async function readJson(request: Request, limit: number): Promise<JsonBody> {
  const bytes = await readBytes(request, limit);
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    return { value, bytes };
  } catch {
    throw new InvalidJson();
  }
}

async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const length = request.headers.get('Content-Length');
  if (Number(length) > limit) throw new PayloadTooLarge(limit);
  try {
    // `Content-Length` frames the body (RFC 9112, 6.2), so it cannot be longer. Reading it as a whole costs half.
    const isFramed = /^\d+$/.test(length ?? '');
    const bytes = isFramed
      ? new Uint8Array(await request.arrayBuffer())
      : await readChunks(request, limit);
    if (bytes.byteLength <= limit) return bytes;
  } catch {
    // The body was aborted, so the document is incomplete.
    throw new InvalidJson();
  }
  throw new PayloadTooLarge(limit);
}

/** Reads a body of unknown length. If it is too large, its end is missing. */
async function readChunks(request: Request, limit: number): Promise<Uint8Array> {
  const body: ReadableStream<Uint8Array> | null = request.body;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    // Keep the first chunk above the limit: it shows that the body is too large.
    if (size <= limit) chunks.push(chunk);
    size += chunk.byteLength;
    if (size > DRAIN_LIMIT) break;
  }
  return concatenate(chunks);
}

function concatenate(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks;
  if (chunks.length === 1 && only) return only;
  const bytes = new Uint8Array(chunks.reduce((size, { byteLength }) => size + byteLength, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}
