import type { Context } from 'hono';
import type { Precondition } from '../db/precondition.ts';
import type { ApiEnv } from './api-env.ts';
import { entityTag, isKnownToClient } from './conditional.ts';

/** Returns a response whose body is already JSON text. */
export function jsonResponse(
  c: Context<ApiEnv>,
  json: string | ReadableStream<Uint8Array>,
  status: 200 | 201 = 200,
): Response {
  return c.body(json, status, { 'Content-Type': 'application/json' });
}

/** Returns the JSON text of an object with one member, whose value is already JSON text. */
export function envelope(key: string, json: string): string {
  return `{${JSON.stringify(key)}:${json}}`;
}

/** Returns the JSON text of an object with one member, a list of values that are already JSON text. */
export function listEnvelope(key: string, jsons: readonly string[]): string {
  return envelope(key, `[${jsons.join()}]`);
}

/**
 * Returns the response with one resource and its entity tag, or 304 if a GET's `If-None-Match` matches (RFC 9110,
 * 15.4.5).
 * @param json the envelope, as JSON text
 * @param precondition the precondition of a GET; a write has already applied its own
 */
export function resourceResponse(
  c: Context<ApiEnv>,
  json: string,
  revision: string,
  precondition?: Precondition,
  status: 200 | 201 = 200,
): Response {
  c.header('ETag', entityTag(revision));
  return precondition && isKnownToClient(precondition, revision)
    ? c.body(null, 304)
    : jsonResponse(c, json, status);
}
