import type { Precondition, Revisions } from '../db/precondition.ts';
import { InvalidRequest } from '../errors.ts';

// Conditional requests as of RFC 9110, 13. A resource's entity tag is its revision, and strong.

const LIST = /^(?:[ \t]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*(?:,|$)|[ \t]*,)*[ \t]*$/;
const TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

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
    // If-Match compares strongly: a weak tag matches nothing.
    ifMatch: readTags(headers, 'If-Match', { weak: false }) ?? 'any',
    ifNoneMatch: readTags(headers, 'If-None-Match', { weak: true }) ?? [],
  };
}

function readTags(
  headers: Headers,
  name: string,
  { weak }: { weak: boolean },
): Revisions | undefined {
  const value = headers.get(name);
  if (value === null) return undefined;
  if (value.trim() === '*') return 'any';
  if (!LIST.test(value)) {
    throw new InvalidRequest([
      { path: name, message: 'expected * or a list of quoted entity tags' },
    ]);
  }
  return Array.from(value.matchAll(TAG))
    .filter(([, isWeak]) => weak || isWeak === undefined)
    .map(([, , tag = '']) => tag);
}
