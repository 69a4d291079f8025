import * as z from 'zod/mini';
import { expected } from './expected.ts';
import { isAtMost, string } from './text.ts';

const HTTP_URL = /^https?:\/\/[^\s\p{Cc}]+$/iu;
const HOST_NAME =
  /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** An absolute `http` or `https` URL (WHATWG), 2,048 characters at most, kept as it was written. */
export function url(): z.ZodMiniString<string> {
  return string(
    'an http or https URL of at most 2,048 characters',
    (value) => isAtMost(value, 2048) && HTTP_URL.test(value) && URL.canParse(value),
    { format: 'iri', maxLength: 2048 },
  );
}

/** A list of at most `max` URLs. */
export function urls(max: number): z.ZodMiniArray<z.ZodMiniString<string>> {
  const error = expected(`a list of at most ${max} URLs`);
  return z.array(url(), { error }).check(z.maxLength(max, { error }));
}

/** An e-mail address, 254 characters at most (RFC 5321, 4.5.3.1.3). */
export function email(): z.ZodMiniString<string> {
  const address = z.email();
  return string(
    'an e-mail address of at most 254 characters',
    (value) => value.length <= 254 && address.safeParse(value).success,
    { format: 'email', maxLength: 254 },
  );
}

/** A host name (RFC 1123), kept in lower case. */
export function hostName(): z.ZodMiniString<string> {
  return string(
    'a host name of at most 253 characters, such as shop.example.com',
    (value) => HOST_NAME.test(value),
    { format: 'hostname', maxLength: 253 },
    (value) => value.toLowerCase(),
  );
}
