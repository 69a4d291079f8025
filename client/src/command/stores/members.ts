import type { JsonObject } from './json-values.ts';
import { isJsonObject } from './json-values.ts';

/** Returns the objects of a list; none if the value is no list. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Returns a text, also of a number; empty for another value. */
export function writtenOf(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : '';
}
