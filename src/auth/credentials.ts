import { ConflictingKeys, InvalidKey, MissingKey } from '../errors.ts';
import { isWellFormedApiKey } from './api-key.ts';

const BEARER = /^bearer\b(.*)$/i;

/**
 * The API key of a request, from `Authorization: Bearer` (RFC 6750) or `x-service-api-key`, never from the URL.
 * @returns a well-formed key, which may still be unknown, revoked or expired
 * @throws MissingKey where neither header carries one
 * @throws ConflictingKeys where both do and they differ
 * @throws InvalidKey where what they carry is no key
 */
export function readApiKey(headers: Headers): string {
  // Fetch joins repeated headers with ", ", which no key contains: several values fail the form.
  const bearer = BEARER.exec(headers.get('Authorization')?.trim() ?? '');
  const fromBearer = bearer?.[1]?.trim();
  const fromHeader = headers.get('x-service-api-key')?.trim() || undefined;

  if (fromBearer !== undefined && fromHeader !== undefined && fromBearer !== fromHeader) {
    throw new ConflictingKeys();
  }
  const key = fromBearer ?? fromHeader;
  if (key === undefined) throw new MissingKey();
  if (!isWellFormedApiKey(key)) throw new InvalidKey();
  return key;
}
