import type { MiddlewareHandler } from 'hono';
import type * as z from 'zod/mini';
import type { Problem } from '../errors.ts';
import { InvalidJson, InvalidRequest, PayloadTooLarge } from '../errors.ts';
import { formatInteger } from '../fields/expected.ts';
import type { ApiEnv } from './api-env.ts';
import { validate } from './validation.ts';

/** The size of a body with one resource, in bytes. */
export const RESOURCE_LIMIT = 256 * 1024;

/** The size of a body with a list. */
export const LIST_LIMIT = 2 * 1024 * 1024;

/**
 * Reads the body as JSON in UTF-8 (RFC 8259), whatever its `Content-Type`: `c.req.valid('json')` has the schema's output, and
 * `c.get('body')` the bytes. Hono's own validator takes another type for no JSON, and a body of any size and structure.
 * @param limit the maximum size in bytes, enforced regardless of `Content-Length`
 * @param usual what a body whose structure is too large has most likely exceeded. It is named first
 * @throws PayloadTooLarge, InvalidJson; InvalidRequest if its structure is too large, or with every problem of the schema
 */
export function json<T>(
  schema: z.ZodMiniType<T>,
  limit: number,
  ...usual: readonly Problem[]
): MiddlewareHandler<ApiEnv, string, { in: { json: T }; out: { json: T } }> {
  return async function json(c, next) {
    const bytes = await readBody(c.req.raw, limit);
    c.set('body', bytes);
    c.req.addValidatedData('json', present(validate(schema, parse(bytes, usual))));
    await next();
  };
}

/** Hono's type excludes null, which a body may be. */
function present(body: unknown): object {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- see above
  return body as object;
}

/** @throws PayloadTooLarge, InvalidJson */
async function readBody(request: Request, limit: number): Promise<ArrayBuffer> {
  const length = request.headers.get('Content-Length') ?? '';
  if (Number(length) > limit) throw new PayloadTooLarge(limit);
  // `Content-Length` frames the body (RFC 9112, 6.2), so it cannot be longer. Reading it as a whole costs half.
  const isFramed = /^\d+$/.test(length);
  const bytes = await (isFramed ? request.arrayBuffer() : readPieces(request, limit)).catch(() => {
    // The body was aborted, so its end is missing.
    throw new InvalidJson();
  });
  if (bytes.byteLength > limit) throw new PayloadTooLarge(limit);
  return bytes;
}

/** The size of the pieces in which a body of unknown length is read, in bytes. */
const PIECE = 64 * 1024;

/**
 * Reads a body of unknown length, or more of it than `limit`. In pieces of a minimum size, because each read takes about
 * 50 µs and 6 KB, and a client may send chunks of one byte.
 */
async function readPieces(request: Request, limit: number): Promise<ArrayBuffer> {
  const reader = request.body?.getReader({ mode: 'byob' });
  const pieces: Uint8Array[] = [];
  let size = 0;
  while (reader && size <= limit) {
    const { value } = await reader.readAtLeast(PIECE, new Uint8Array(PIECE));
    if (!value?.byteLength) break;
    pieces.push(value);
    size += value.byteLength;
  }
  return new Blob(pieces).arrayBuffer();
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/**
 * The start of a short text of digits. V8's JSON parser keeps short texts in a hash table and hashes digits by their
 * value, so a client could choose texts that collide, which takes quadratic time. The parser does not hash a text with an
 * escape, so the first digit becomes one.
 */
const DIGITS = /"(\d)(?=\d{0,9}")/g;

/** @throws InvalidJson; InvalidRequest if its structure is too large */
function parse(bytes: ArrayBuffer, usual: readonly Problem[]): unknown {
  try {
    const text = utf8.decode(bytes);
    checkStructure(new Uint8Array(bytes), usual);
    return JSON.parse(text.replace(DIGITS, '"\\u003$1'));
  } catch (error) {
    throw error instanceof InvalidRequest ? error : new InvalidJson();
  }
}

const QUOTE = 0x22;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const LIST = 0x5b;
const BACKSLASH = 0x5c;
const OBJECT = 0x7b;

/**
 * Checks the structure of a JSON text by counting its brackets and colons outside of strings, before it is parsed. The
 * largest that an operation takes has 501 objects, 501 lists and 14,000 members.
 *
 * V8's parser makes a shape for each object with new names, so a body of small objects would take ten times as long. And
 * it hashes a name of digits by its value, as above. No field has such a name.
 * @throws InvalidRequest
 */
function checkStructure(json: Uint8Array, usual: readonly Problem[]): void {
  let [objects, lists, members, numbers] = [0, 0, 0, 0];
  /** The first byte of the last string. */
  let first = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) {
      first = json[++at] ?? 0;
      while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
    } else if (byte === COLON) {
      members++;
      // An escape may stand for a digit.
      if ((first >= ZERO && first <= NINE) || first === BACKSLASH) numbers++;
    } else if (byte === LIST) lists++;
    else if (byte === OBJECT) objects++;
  }
  const bounds = [
    [objects, 1001, 'objects'],
    [lists, 1001, 'lists'],
    [members, 40_000, 'members'],
    [numbers, 1000, 'members whose names begin with a digit or an escape'],
  ] as const;
  const problems = bounds.flatMap(([count, max, what]) =>
    count > max
      ? [{ path: 'body', message: `expected at most ${formatInteger(max)} ${what}` }]
      : [],
  );
  if (problems.length > 0) throw new InvalidRequest([...usual, ...problems]);
}
