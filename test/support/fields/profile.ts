import type { Kind } from './kinds.ts';
import { boolean, cents, oneOf, percent, same, text, timestamp, url } from './kinds.ts';
import type { FieldRows } from './row.ts';
import { nullable, optional, required } from './row.ts';

const label = 'x'.repeat(63);
/** A host name of 253 characters. */
const longHost = `${label}.${label}.${label}.${'x'.repeat(61)}`;
/** A domain of 252 characters, which leaves one for the local part of an address of 254. */
const longDomain = `${label}.${label}.${label}.${'x'.repeat(56)}.com`;

const email: Kind = {
  accepted: [
    ...same('a@b.co', 'First.Last+tag@sub.example.com', "o'brien@example.com", 'a_b-c@a-b.io'),
    ...same(`a@${longDomain}`, 'R&D@example.com', "obrien'@b.co", 'a@xn--e1afmkfd.xn--p1ai'),
    { sent: ' a@b.co ', kept: 'a@b.co' },
  ],
  refused: [
    null,
    1,
    true,
    [],
    {},
    '',
    ' ',
    'a',
    'a@',
    '@b.co',
    'a b@example.com',
    'a@b@c.com',
    'a@example..com',
    'a@-',
    'Alex <a@b.co>',
    'a@b.co,c@d.co',
    'a\0@b.co',
    'a@b.co\nb',
    '\ud800@b.co',
    'mailto:a@b.co',
    `ab@${longDomain}`,
    `a@${'b'.repeat(64)}.co`,
    'a@c-.co',
    'a@-c.co',
    '.a@b.co',
    'a.@b.co',
    'a..b@b.co',
  ],
};

const domain: Kind = {
  accepted: [
    ...same(
      'shop.example.com',
      'a-b.example',
      '1.example',
      'xn--bcher-kva.example',
      '_a.b_',
      longHost,
    ),
    { sent: 'Shop.Example.COM', kept: 'shop.example.com' },
    { sent: ' shop.example.com ', kept: 'shop.example.com' },
    { sent: 'my_shop.example.com.', kept: 'my_shop.example.com' },
    { sent: `${longHost}.`, kept: longHost },
    { sent: longHost.toUpperCase(), kept: longHost },
  ],
  refused: [
    null,
    1,
    true,
    [],
    {},
    '',
    ' ',
    '.',
    'https://shop.example.com',
    'shop.example.com/',
    'shop.example.com:443',
    'a..b',
    'a..',
    '.a',
    '-a.example',
    'a-.example',
    'a b.example',
    'a@b.example',
    'a?b',
    '[::1]',
    'a\0b',
    'a\nb',
    '\ud800.example',
    `${longHost}x`,
    `${'x'.repeat(64)}.example`,
  ],
};

const connectionStatus = oneOf('CONNECTED', 'PENDING', 'ERROR', 'DISCONNECTED');

export const brandFields: FieldRows = {
  brandName: required(text(1, 255), 'Example Brand'),
  contactName: nullable(text(1, 255), 'Alex Doe'),
  description: optional(text(0, 5000, { lines: true }), 'One line\nand another', ''),
  website: nullable(url, 'https://example.com'),
  logoUrl: nullable(url, 'https://cdn.example.com/logo.png'),
  supportEmail: nullable(email, 'support@example.com'),
  cartMinimumCents: optional(cents, 5000, 0),
  customerLtvCents: optional(cents, 120_000, 0),
  grossMarginPercent: nullable(percent(-1000), 62.5),
};

export const connectionFields: FieldRows = {
  status: { ...optional(connectionStatus, 'ERROR', 'DISCONNECTED'), column: 'connection_status' },
  storeDomain: nullable(domain, 'shop.example.com'),
  syncEnabled: optional(boolean, true, false),
  lastProductsSyncAt: nullable(timestamp, '2026-01-31T09:31:00.999Z'),
  lastDiscountsSyncAt: nullable(timestamp, '2026-01-31T09:30:00.001Z'),
  lastSyncError: nullable(text(1, 2000, { lines: true }), 'Token expired'),
};
