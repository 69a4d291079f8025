import { InvalidJson, InvalidRequest, PayloadTooLarge } from '../errors.ts';
import { checkStructure } from './json-structure.ts';

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

/** The size of the pieces in which a body of unknown length is read, in bytes. */
const PIECE = 64 * 1024;

/**
 * The start of a short text of digits. V8's JSON parser keeps short texts in a hash table and hashes digits by their
 * value, so a client could choose texts that collide, which takes quadratic time. The parser does not hash a text with an
 * escape, so the first digit becomes one.
 */
const DIGITS = /"(\d)(?=\d{0,9}")/g;

/** A JSON body. */
export interface JsonBody {
  readonly bytes: ArrayBuffer;
  readonly value: unknown;
}

/**
 * Reads a body as JSON in UTF-8 (RFC 8259), regardless of `Content-Type`.
 * @param limit the maximum size in bytes, enforced regardless of `Content-Length`
 * @throws PayloadTooLarge, InvalidJson; InvalidRequest if its structure is too large
 */
export async function readJson(request: Request, limit: number): Promise<JsonBody> {
  const length = request.headers.get('Content-Length') ?? '';
  if (Number(length) > limit) throw new PayloadTooLarge(limit);
  try {
    // `Content-Length` frames the body (RFC 9112, 6.2), so it cannot be longer. Reading it as a whole costs half.
    const isFramed = /^\d+$/.test(length);
    const bytes = await (isFramed ? request.arrayBuffer() : readPieces(request, limit));
    if (bytes.byteLength <= limit) return parse(bytes);
  } catch (error) {
    if (error instanceof InvalidRequest) throw error;
    // It is no JSON, or the body was aborted, so that its end is missing.
    throw new InvalidJson();
  }
  throw new PayloadTooLarge(limit);
}

/**
 * Parses a body.
 * @throws SyntaxError, TypeError if it is no JSON in UTF-8; InvalidRequest if its structure is too large
 */
function parse(bytes: ArrayBuffer): JsonBody {
  const text = utf8.decode(bytes);
  checkStructure(new Uint8Array(bytes));
  const value: unknown = JSON.parse(text.replace(DIGITS, '"\\u003$1'));
  return { bytes, value };
}

/**
 * Reads a body of unknown length. If it is too large, its end is missing.
 *
 * In pieces of a minimum size, because each read takes about 50 µs and 6 KB, and a client may send chunks of one byte.
 */
async function readPieces(request: Request, limit: number): Promise<ArrayBuffer> {
  const reader = request.body?.getReader({ mode: 'byob' });
  const pieces: Uint8Array[] = [];
  let size = 0;
  while (reader && size <= DRAIN_LIMIT) {
    const { value } = await reader.readAtLeast(PIECE, new Uint8Array(PIECE));
    if (!value?.byteLength) break;
    // Keep the first piece above the limit: it shows that the body is too large.
    if (size <= limit) pieces.push(value);
    size += value.byteLength;
  }
  return new Blob(pieces).arrayBuffer();
}
