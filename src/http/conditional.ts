import type { Precondition, Revisions } from '../db/precondition.ts';
import { includes } from '../db/precondition.ts';
import { InvalidRequest } from '../errors.ts';

// Conditional requests (RFC 9110, 13). A resource's entity tag is its revision, and strong.
//
// The weak form of a tag counts as that tag, in If-Match too: a deliberate step from 13.1.1. Cloudflare turns `"x"` into
// `W/"x"` where it compresses a response, so a client that accepts gzip never sees the strong form. What a write must
// not overwrite is a revision, and that is what a tag names, whatever the encoding of its bytes.

// No two parts of these patterns can match the same text, so they take linear time on any input.
const LIST =
  /^[ \t]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*)?(?:,[ \t]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*)?)*$/;
const TAG = /"([\x21\x23-\x7e\x80-\xff]*)"/g;

/** The entity tag of a revision. */
export function entityTag(revision: string): string {
  return `"${revision}"`;
}

/**
 * What `If-Match` and `If-None-Match` demand; without them, nothing.
 * @throws InvalidRequest where one is neither `*` nor a list of entity tags
 */
export function readPrecondition(headers: Headers): Precondition {
  return {
    ifMatch: readTags(headers, 'If-Match') ?? 'any',
    ifNoneMatch: readTags(headers, 'If-None-Match') ?? [],
  };
}

/** Whether `If-None-Match` says that the client has this revision: a read is then answered with 304 (RFC 9110, 15.4.5). */
export function isKnownToClient({ ifNoneMatch }: Precondition, revision: string): boolean {
  return includes(ifNoneMatch, revision);
}

function readTags(headers: Headers, name: string): Revisions | undefined {
  const value = headers.get(name);
  if (value === null) return undefined;
  if (value.trim() === '*') return 'any';
  if (!LIST.test(value)) {
    throw new InvalidRequest([
      { path: name, message: 'expected * or a list of quoted entity tags' },
    ]);
  }
  return Array.from(value.matchAll(TAG), ([, tag = '']) => tag);
}
