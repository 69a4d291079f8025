import type { KeySummary } from './keys.ts';
import type { Shown } from './output.ts';

/** Returns the rows of the key table. The first column shows whether a key is live, and until when. */
export function describeKeys(keys: readonly KeySummary[]): Shown[] {
  return keys.map((key) => ({
    status: statusOf(key),
    keyId: key.keyId,
    prefix: key.prefix,
    label: key.label,
    scope: key.scope,
    createdAt: key.createdAt,
  }));
}

function statusOf({ status, expiresAt, revokedAt }: KeySummary): string {
  if (status === 'revoked') return `revoked ${revokedAt ?? ''}`;
  if (status === 'expired') return `expired ${expiresAt ?? ''}`;
  return expiresAt === null ? 'LIVE' : `LIVE until ${expiresAt}`;
}
