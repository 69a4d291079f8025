import { InvalidRequest } from '../errors.ts';
import { sha256 } from '../hash.ts';

/**
 * Returns the `Idempotency-Key` of a request (draft-ietf-httpapi-idempotency-key-header); undefined if there is none.
 * @throws InvalidRequest
 */
export function readIdempotencyKey(headers: Headers): string | undefined {
  const key = headers.get('Idempotency-Key') ?? undefined;
  if (key !== undefined && !/^[!-~]{1,255}$/.test(key)) {
    const message = 'expected 1 to 255 visible ASCII characters';
    throw new InvalidRequest([{ path: 'Idempotency-Key', message }]);
  }
  return key;
}

/**
 * Identifies a request with an `Idempotency-Key`: the SHA-256 of its target and of its body's SHA-256.
 * @param target the path, and the parameters that are part of the request
 */
export async function fingerprint(target: string, body: ArrayBuffer): Promise<string> {
  return sha256(`${target} ${await sha256(body)}`);
}
