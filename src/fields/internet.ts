import * as z from 'zod/mini';
import { asSentence, expected, jsonSchemas } from './expected.ts';
import { string } from './text.ts';

const HTTP = /^https?:\/\/./i;
const SPACE_OR_CONTROL = /[\s\p{Cc}]/u;
const AUTHORITY = /^https?:[/\\]*([^/\\?#]*)/i;
const PORT = /:\d{0,5}$/;
const HOST_NAME = /^[a-z0-9_]+(-+[a-z0-9_]+)*(\.[a-z0-9_]+(-+[a-z0-9_]+)*)*$/;
const MAX_HOST_NAME = 253;
/** A label of a host name that is too long for DNS. Four full stops separate labels (UTS #46, 2.3). */
const LONG_LABEL = /(?:^|[.\u3002\uff0e\uff61])[^.\u3002\uff0e\uff61]{64}/;
const MAX_URL = 2048;
const MAX_HANDLE = 255;
const NOT_IN_HANDLE = /[\s\p{Cc}/\\?#%"<>]/u;

/** An absolute `http` or `https` URL (WHATWG), stored as sent. Its host has a valid length (RFC 1123). */
export function url(): z.ZodMiniString<string> {
  return string({
    what: 'an http or https URL of at most 2,048 characters',
    max: MAX_URL,
    isValid: (value) =>
      HTTP.test(value) &&
      !SPACE_OR_CONTROL.test(value) &&
      hasPossibleHost(value) &&
      URL.canParse(value),
    // Not the format `uri`, which allows only ASCII, nor `iri`, which few validators support.
    jsonSchema: { pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$', maxLength: MAX_URL },
  });
}

/**
 * Whether the host of a URL, as written, is short enough for DNS. Parsing an internationalized host takes quadratic
 * time in the length of each label.
 */
function hasPossibleHost(url: string): boolean {
  const authority = AUTHORITY.exec(url)?.[1] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(PORT, '');
  // NFKC, because a character such as ㌀ stands for four, which count (UTS #46, 4).
  return host.length <= MAX_HOST_NAME && !LONG_LABEL.test(host.normalize('NFKC'));
}

export function urls(max: number): z.ZodMiniArray<z.ZodMiniString<string>> {
  const what = `a list of at most ${max} URLs`;
  const error = expected(what);
  return z
    .array(url(), { error })
    .check(z.maxLength(max, { error }))
    .register(jsonSchemas, { description: asSentence(what) });
}

// The `Dot-string` and the `Domain` of RFC 5321, 4.1.2, with at least two labels.
const EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@([a-z0-9]+(-+[a-z0-9]+)*\.)+[a-z0-9]+(-+[a-z0-9]+)*$/i;

/** An e-mail address of at most 254 characters (RFC 5321, 4.5.3.1.3). */
export function email(): z.ZodMiniString<string> {
  return string({
    what: 'an e-mail address of at most 254 characters',
    max: 254,
    isValid: (value) => EMAIL.test(value) && !LONG_LABEL.test(value.slice(value.indexOf('@') + 1)),
    jsonSchema: { format: 'email', maxLength: 254 },
  });
}

/**
 * The name of a host as it is looked up, also with `_`, which no host has by RFC 1123, and shops have. It is stored in lower case,
 * without the dot that may end it.
 */
export function hostName(): z.ZodMiniString<string> {
  return string({
    what: `a host name of at most ${MAX_HOST_NAME} characters, such as shop.example.com`,
    max: MAX_HOST_NAME,
    isValid: (value) => HOST_NAME.test(value) && !LONG_LABEL.test(value),
    // Not the format `hostname`, which has no `_`.
    jsonSchema: {
      pattern: '^\\w+(-+\\w+)*(\\.\\w+(-+\\w+)*)*\\.?$',
      // Until the dot is removed.
      maxLength: MAX_HOST_NAME + 1,
    },
    canonical: (value) => value.toLowerCase().replace(/\.$/, ''),
  });
}

/** The part of a URL that names a resource, as stores write it: in any script. */
export function handle(): z.ZodMiniString<string> {
  return string({
    // A quotation mark in an error text begins a quoted value.
    what: `1 to ${MAX_HANDLE} lower-case characters without white space, control characters, quotation marks or any of / \\ ? # % < >`,
    max: MAX_HANDLE,
    isValid: (value) => value !== '' && value === value.toLowerCase() && !NOT_IN_HANDLE.test(value),
    jsonSchema: {
      pattern: '^[^\\sA-Z/\\\\?#%"<>\\u0000-\\u001f\\u007f-\\u009f]+$',
      maxLength: MAX_HANDLE,
    },
  });
}
