import type { Schema } from './document.ts';

/** What a document says of the values of a closed set; the page shows them as chips instead. */
const LIST_OF_VALUES = / ?One of [A-Z_]+(?:, [A-Z_]+)*\.| ?True or false\./;

/** The values of which a text, a parameter or a member has one; empty if they are not a closed set. */
export function valuesOf({ type, enum: values = [], const: only }: Schema): readonly string[] {
  if (type === 'boolean') return ['true', 'false'];
  return [...values, only].filter((value) => typeof value === 'string');
}

/** A description without the list of values that `valuesOf` returns. */
export function withoutValues(description: string): string {
  return description.replace(LIST_OF_VALUES, '').trim();
}

/** An example as a reader types it: a text without quotes. */
export function exampleText(example: unknown): string {
  return typeof example === 'string' ? example : JSON.stringify(example);
}
