import { checksum } from '../../hash.ts';
import type { Collection } from '../collection.ts';

/** A position in the order of a collection's changes. */
export interface ChangeToken {
  /** A checksum of the brand's id; undefined for the start token `0`. */
  readonly brand: string | undefined;
  /** The number of the last change that the client has. */
  readonly after: number;
  /** Deletions up to this number are skipped: they happened before the client's first load began. */
  readonly deletionsAfter: number;
}

/** The start token: before every change. The first page sets which deletions the load needs. */
const START: ChangeToken = { brand: undefined, after: 0, deletionsAfter: Number.MAX_SAFE_INTEGER };

const FORM = /^[0-9a-f]{8}([0-9a-f]{8})([0-9a-z]{1,11})(?:-([0-9a-z]{1,11}))?$/;

/** Encodes a token. It begins with a checksum, so that guessed tokens and those of other collections are detected. */
export function encodeToken(
  collection: Collection,
  { brand = '', after, deletionsAfter }: ChangeToken,
): string {
  // Once the load has passed this number, the token no longer needs it.
  const start = deletionsAfter > after ? `-${deletionsAfter.toString(36)}` : '';
  const text = `${brand}${after.toString(36)}${start}`;
  return checksum(`${collection.path}:${text}`) + text;
}

/** Decodes a token. Returns undefined if it was not issued for this collection. */
export function decodeToken(collection: Collection, text: string): ChangeToken | undefined {
  if (text === '0') return START;
  const [, brand, last = '', start = last] = FORM.exec(text) ?? [];
  const token = { brand, after: parseInt(last, 36), deletionsAfter: parseInt(start, 36) };
  return brand !== undefined && encodeToken(collection, token) === text ? token : undefined;
}
