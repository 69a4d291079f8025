import { InvalidJson, PayloadTooLarge } from '../errors.ts';

/** The most that the body of one resource may hold, in bytes. */
export const RESOURCE_LIMIT = 256 * 1024;

/** The most that a list of resources may hold, in bytes. */
export const LIST_LIMIT = 2 * 1024 * 1024;

/**
 * How much of a body that turns out too large, without having said so, is read and dropped, in bytes. A client that is
 * still sending then gets its answer, and keeps its connection, instead of having it cut.
 */
const DRAIN_LIMIT = 16 * 1024 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** A JSON body: what it says, and the bytes that said it. */
export interface JsonBody {
  readonly value: unknown;
  readonly bytes: Uint8Array;
}

/**
 * Reads a body as JSON in UTF-8 (RFC 8259), whatever `Content-Type` says.
 * @param limit in bytes; more is refused, whatever `Content-Length` says
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
    // The length is what frames the body (RFC 9112, 6.2): there is no more of it than that. Whole, it costs half.
    const isFramed = /^\d+$/.test(length ?? '');
    const bytes = isFramed
      ? new Uint8Array(await request.arrayBuffer())
      : await readChunks(request, limit);
    if (bytes.byteLength <= limit) return bytes;
  } catch {
    // A body that breaks off is half a document.
    throw new InvalidJson();
  }
  throw new PayloadTooLarge(limit);
}

/** Reads a body of unknown length; where it is too large, the end of it is missing. */
async function readChunks(request: Request, limit: number): Promise<Uint8Array> {
  const body: ReadableStream<Uint8Array> | null = request.body;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    // The first chunk above the limit is kept: it tells that the body is too large.
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
