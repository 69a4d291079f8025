import type { Context } from 'hono';
import type { ApiEnv } from './api-env.ts';

/** Answers with what is JSON text already. */
export function jsonResponse(
  c: Context<ApiEnv>,
  json: string | ReadableStream<Uint8Array>,
  status: 200 | 201 = 200,
): Response {
  return c.body(json, status, { 'Content-Type': 'application/json' });
}

/** The JSON text of an object with one member, whose value is JSON text. */
export function envelope(key: string, json: string): string {
  return `{${JSON.stringify(key)}:${json}}`;
}

/** The JSON text of an object with one member, a list of values that are JSON text. */
export function listEnvelope(key: string, jsons: readonly string[]): string {
  return envelope(key, `[${jsons.join()}]`);
}
