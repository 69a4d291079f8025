import type { KeySummary } from './key-list.ts';
import type { Shown } from './output.ts';

/**
 * Returns a row of the key table. The first column shows whether the key is live, and until when.
 * @param withBrand whether the row names the brand
 */
export function describeKey(key: KeySummary, withBrand: boolean): Shown {
  return {
    status: statusOf(key),
    ...(withBrand && { brandId: key.brandId, brandName: key.brandName }),
    keyId: key.keyId,
    prefix: key.prefix,
    label: key.label,
    scope: key.scope,
    createdAt: key.createdAt,
  };
}

function statusOf({ status, expiresAt, revokedAt, suspendedAt, replacedBy }: KeySummary): string {
  if (status === 'revoked') return `revoked ${revokedAt ?? ''}`;
  if (status === 'expired') return `expired ${expiresAt ?? ''}`;
  if (status === 'imported') return 'imported: rotate it';
  if (suspendedAt !== null) return `suspended ${suspendedAt}`;
  if (expiresAt === null) return 'LIVE';
  return `LIVE until ${expiresAt}${replacedBy === null ? '' : ' (rotated)'}`;
}
