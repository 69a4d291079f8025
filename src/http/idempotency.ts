import { InvalidRequest } from '../errors.ts';
import { sha256 } from '../hash/sha256.ts';

const FORM = /^[!-~]{1,255}$/;

/** An `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header) and what it was sent with. */
export interface Idempotency {
  readonly key: string;
  /** SHA-256 of the path and of the SHA-256 of the body, byte for byte. */
  readonly fingerprint: string;
}

/**
 * Reads the `Idempotency-Key` of a request.
 * @param body as it came
 * @returns undefined where there is none
 * @throws InvalidRequest
 */
export async function readIdempotency(
  request: Request,
  body: Uint8Array,
): Promise<Idempotency | undefined> {
  const key = request.headers.get('Idempotency-Key');
  if (key === null) return undefined;
  if (!FORM.test(key)) {
    throw new InvalidRequest([
      { path: 'Idempotency-Key', message: 'expected 1 to 255 visible ASCII characters' },
    ]);
  }
  const { pathname } = new URL(request.url);
  return { key, fingerprint: await sha256(`${pathname} ${await sha256(body)}`) };
}
