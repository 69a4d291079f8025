import type { Schema } from './schema.ts';

/** One of several examples. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

/** A JSON body with an example. */
export function json(schema: Schema, example: unknown): Schema {
  return { 'application/json': { schema, example } };
}

/** A JSON body with several examples, each with a summary. */
export function jsonOf(schema: Schema, examples: Readonly<Record<string, Example>>): Schema {
  return { 'application/json': { schema, examples } };
}
