import type * as z from 'zod/mini';
import { string } from './text.ts';

const MAX = 255;
const FORBIDDEN = /[\s\p{Cc}/\\?#%"<>]/u;

/** The part of a URL that names a resource, as stores write it: in any script. */
export function handle(): z.ZodMiniString<string> {
  return string({
    // A quotation mark in an error text begins a quoted value.
    what: `1 to ${MAX} lower-case characters without white space, control characters, quotation marks or any of / \\ ? # % < >`,
    max: MAX,
    isValid: (value) => value !== '' && value === value.toLowerCase() && !FORBIDDEN.test(value),
    jsonSchema: {
      pattern: '^[^\\sA-Z/\\\\?#%"<>\\u0000-\\u001f\\u007f-\\u009f]+$',
      maxLength: MAX,
    },
  });
}
