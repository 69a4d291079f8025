import type { Context } from 'hono';
import type { ApiEnv } from './api-env.ts';

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
