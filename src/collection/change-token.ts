import { crc32 } from '../hash/crc32.ts';
import type { Collection } from './collection.ts';

/** A place in the order of a collection's changes. */
export interface ChangeToken {
  /** Tells one brand from another; undefined for `0`, which starts. */
  readonly brand: string | undefined;
  /** The number of the last change that the follower has. */
  readonly after: number;
  /** Deletions up to this number are not needed: they came before the follower's first load began. */
  readonly deletionsAfter: number;
}

/** Where a first load starts: before every change. Which deletions it needs is known once it has begun. */
const START: ChangeToken = { brand: undefined, after: 0, deletionsAfter: Number.MAX_SAFE_INTEGER };

const FORM = /^[0-9a-f]{8}([0-9a-f]{8})([0-9a-z]{1,11})(?:-([0-9a-z]{1,11}))?$/;

/** What of a brand goes into its tokens. */
export function brandMark(brandId: string): string {
  return hexadecimal(crc32(brandId));
}

/** A token as a text. It begins with a checksum that tells one of this collection from a guess. */
export function encodeToken(
  collection: Collection,
  { brand = '', after, deletionsAfter }: ChangeToken,
): string {
  // Past the start of its load, a token is the same whether it came from a load or not.
  const start = deletionsAfter > after ? `-${deletionsAfter.toString(36)}` : '';
  const text = `${brand}${after.toString(36)}${start}`;
  return hexadecimal(crc32(`${collection.path}:${text}`)) + text;
}

/** Reads a token; undefined for one that was not issued for this collection. */
export function decodeToken(collection: Collection, text: string): ChangeToken | undefined {
  if (text === '0') return START;
  const [, brand, last = '', start = last] = FORM.exec(text) ?? [];
  const token = { brand, after: parseInt(last, 36), deletionsAfter: parseInt(start, 36) };
  return brand !== undefined && encodeToken(collection, token) === text ? token : undefined;
}

function hexadecimal(number: number): string {
  return number.toString(16).padStart(8, '0');
}
