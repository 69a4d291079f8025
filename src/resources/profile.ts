import { brands as table } from '../db/tables.ts';
import { boolean } from '../fields/boolean.ts';
import { email, hostName, url } from '../fields/internet.ts';
import { cents, percent } from '../fields/number.ts';
import { nullable, optional } from '../fields/schema.ts';
import { line, lines, oneOf } from '../fields/text.ts';
import { timestamp } from '../fields/timestamp.ts';
import { defineProfile } from '../profile/profile.ts';

/** The brand that a key belongs to, and the state of its store connection. */
export const profile = defineProfile(() => ({
  brand: {
    fields: {
      brandName: line(1, 255),
      cartMinimumCents: optional(cents(), 0),
      contactName: nullable(line(1, 255)),
      customerLtvCents: optional(cents(), 0),
      description: optional(lines(0, 5000), ''),
      grossMarginPercent: nullable(percent(-1000, 100)),
      logoUrl: nullable(url()),
      supportEmail: nullable(email()),
      website: nullable(url()),
    },
    columns: {
      brandName: table.brandName,
      cartMinimumCents: table.cartMinimumCents,
      contactName: table.contactName,
      customerLtvCents: table.customerLtvCents,
      description: table.description,
      grossMarginPercent: table.grossMarginPercent,
      logoUrl: table.logoUrl,
      supportEmail: table.supportEmail,
      website: table.website,
    },
  },
  connection: {
    fields: {
      lastDiscountsSyncAt: nullable(timestamp()),
      lastProductsSyncAt: nullable(timestamp()),
      lastSyncError: nullable(lines(1, 2000)),
      status: optional(oneOf('CONNECTED', 'PENDING', 'ERROR', 'DISCONNECTED'), 'DISCONNECTED'),
      storeDomain: nullable(hostName()),
      syncEnabled: optional(boolean(), false),
    },
    columns: {
      lastDiscountsSyncAt: table.lastDiscountsSyncAt,
      lastProductsSyncAt: table.lastProductsSyncAt,
      lastSyncError: table.lastSyncError,
      status: table.connectionStatus,
      storeDomain: table.storeDomain,
      syncEnabled: table.syncEnabled,
    },
  },
}));
