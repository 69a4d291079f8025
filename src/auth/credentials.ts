import { ConflictingKeys, InvalidKey, MissingKey } from '../errors.ts';
import { isWellFormedApiKey } from './api-key.ts';

/**
 * `Bearer` as a whole token (RFC 9110, 5.6.2), and the text after it. `Bearer-x` and `Bearer!` are other schemes. The
 * space after it may be any number of spaces or tabs; `trim` removes it.
 */
const BEARER = /^bearer(|[^!#$%&'*+\-.^`|~\w].*)$/is;

/**
 * Returns the API key of a request, from `Authorization: Bearer` (RFC 6750) or `x-service-api-key`, never from the URL.
 * @returns a well-formed key, which may still be unknown, revoked or expired
 * @throws MissingKey if neither header has one
 * @throws ConflictingKeys if both have one and they differ
 * @throws InvalidKey if the value is not a well-formed key
 */
export function readApiKey(headers: Headers): string {
  // Fetch joins repeated headers with ", ", which no key contains, so several values are never a valid key.
  const bearer = BEARER.exec(headers.get('Authorization')?.trim() ?? '');
  const fromBearer = bearer?.[1]?.trim();
  const fromHeader = headers.get('x-service-api-key')?.trim() || undefined;

  if (fromBearer !== undefined && fromHeader !== undefined && fromBearer !== fromHeader) {
    throw new ConflictingKeys();
  }
  const key = fromBearer ?? fromHeader;
  if (key === undefined) throw new MissingKey(adviceFor(headers));
  if (!isWellFormedApiKey(key)) throw new InvalidKey();
  return key;
}

/** Says what to do with what may be a key, in a fixed text: what was sent is never repeated. */
function adviceFor(headers: Headers): string | undefined {
  if (headers.get('x-api-key')?.trim()) {
    return 'x-api-key is not read. Send the key in x-service-api-key.';
  }
  if (headers.get('Authorization')?.trim()) {
    return 'Write the word Bearer and a space before the key in Authorization.';
  }
  return undefined;
}
