import { InvalidJson, PayloadTooLarge } from '../errors.ts';

/** The most that the body of one resource may hold, in bytes. */
export const RESOURCE_LIMIT = 256 * 1024;

/** The most that a list of resources may hold, in bytes. */
export const LIST_LIMIT = 2 * 1024 * 1024;

/**
 * How much of a body that turns out too large, without having said so, is read and dropped, in bytes. A client that is
 * still sending then gets its answer, and keeps its connection, instead of having it cut.
 */
const DRAINED = 16 * 1024 * 1024;

/** A JSON body: what it says, and the bytes that said it. */
export interface JsonBody {
  readonly value: unknown;
  readonly bytes: Uint8Array;
}

/**
 * Reads a body as JSON in UTF-8 (RFC 8259), whatever `Content-Type` says.
 * @param limit in bytes; no more is kept, whatever `Content-Length` says
 * @throws PayloadTooLarge, InvalidJson
 */
export async function readJson(request: Request, limit: number): Promise<JsonBody> {
  const bytes = await readBytes(request, limit);
  try {
    const value: unknown = JSON.parse(
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes),
    );
    return { value, bytes };
  } catch {
    throw new InvalidJson();
  }
}

async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  if (Number(request.headers.get('Content-Length')) > limit) throw new PayloadTooLarge(limit);
  const body: ReadableStream<Uint8Array> | null = request.body;
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
      size += chunk.byteLength;
      if (size <= limit) chunks.push(chunk);
      else if (size > DRAINED) break;
    }
  } catch {
    // A body that breaks off is half a document.
    throw new InvalidJson();
  }
  if (size > limit) throw new PayloadTooLarge(limit);
  return concatenate(chunks, size);
}

function concatenate(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = chunks;
  if (chunks.length === 1 && only) return only;
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}
