import { describe } from 'vitest';
import { profileTarget, testFields } from './support/field-tests.ts';
import {
  boolean,
  cents,
  nullable,
  oneOf,
  percent,
  same,
  text,
  timestamp,
  url,
} from './support/values.ts';

const label = 'x'.repeat(63);
/** A host name of 253 characters. */
const longHost = `${label}.${label}.${label}.${'x'.repeat(61)}`;
/** A domain of 252 characters, which leaves one for the local part of an address of 254. */
const longDomain = `${label}.${label}.${label}.${'x'.repeat(56)}.com`;

describe('a brand', () => {
  testFields(profileTarget('brand'), {
    brandName: text(1, 255),
    contactName: nullable(text(1, 255)),
    description: text(0, 5000, { lines: true }),
    website: nullable(url),
    logoUrl: nullable(url),
    supportEmail: nullable({
      accepted: [
        ...same('a@b.co', 'First.Last+tag@sub.example.com', "o'brien@example.com", 'a_b-c@a-b.io'),
        ...same(`a@${longDomain}`, 'R&D@example.com', "obrien'@b.co", 'a@xn--e1afmkfd.xn--p1ai'),
        { sent: ' a@b.co ', kept: 'a@b.co' },
      ],
      refused: [
        ...[null, 1, true, [], {}, '', ' ', 'a', 'a@', '@b.co', 'a b@example.com', 'a@b@c.com'],
        ...['a@example..com', 'a@-', 'Alex <a@b.co>', 'a@b.co,c@d.co', 'a\0@b.co', 'a@b.co\nb'],
        ...['\ud800@b.co', 'mailto:a@b.co', `ab@${longDomain}`, `a@${'b'.repeat(64)}.co`],
        ...['a@c-.co', 'a@-c.co', '.a@b.co', 'a.@b.co', 'a..b@b.co'],
      ],
    }),
    cartMinimumCents: cents,
    customerLtvCents: cents,
    grossMarginPercent: nullable(percent(-1000)),
  });
});

describe('a connection', () => {
  testFields(profileTarget('connection'), {
    status: oneOf('CONNECTED', 'PENDING', 'ERROR', 'DISCONNECTED'),
    storeDomain: nullable({
      accepted: [
        ...same('shop.example.com', 'a-b.example', '1.example', 'xn--bcher-kva.example', longHost),
        { sent: 'Shop.Example.COM', kept: 'shop.example.com' },
        { sent: ' shop.example.com ', kept: 'shop.example.com' },
        { sent: longHost.toUpperCase(), kept: longHost },
      ],
      refused: [
        ...[null, 1, true, [], {}, '', ' ', '.', 'https://shop.example.com', 'shop.example.com/'],
        ...['shop.example.com:443', 'a..b', '.a', '-a.example', 'a-.example', 'a b.example'],
        ...['a@b.example', 'a?b', '[::1]', 'a\0b', 'a\nb', '\ud800.example', `${longHost}x`],
        `${'x'.repeat(64)}.example`,
      ],
    }),
    syncEnabled: boolean,
    lastProductsSyncAt: nullable(timestamp),
    lastDiscountsSyncAt: nullable(timestamp),
    lastSyncError: nullable(text(1, 2000, { lines: true })),
  });
});
