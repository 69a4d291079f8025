import type { Precondition, Revisions } from '../db/precondition.ts';
import type { Problem } from '../errors.ts';
import { InvalidRequest } from '../errors.ts';

// Conditional requests (RFC 9110, 13). A resource's entity tag is its revision, as a strong tag.
//
// The weak form of a tag matches too, even in If-Match: a deliberate deviation from 13.1.1. Cloudflare turns `"x"` into
// `W/"x"` if it compresses a response, so a client that accepts gzip never sees the strong form. A tag identifies a
// revision, not an encoding, and If-Match protects a revision.

// No two parts of these patterns match the same text, so matching takes linear time on any input.
const LIST =
  /^[ \t]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*)?(?:,[ \t]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*)?)*$/;
const TAG = /"([\x21\x23-\x7e\x80-\xff]*)"/g;

/**
 * Reads `If-Match` and `If-None-Match`. Without them, every revision meets the precondition.
 * @throws InvalidRequest if a header is neither `*` nor a list of entity tags
 */
export function readPrecondition(headers: Headers): Precondition {
  const problems: Problem[] = [];
  const precondition = {
    ifMatch: readTags(headers, 'If-Match', problems) ?? 'any',
    ifNoneMatch: readTags(headers, 'If-None-Match', problems) ?? [],
  } as const;
  if (problems.length > 0) throw new InvalidRequest(problems);
  return precondition;
}

/** @param problems takes the problem with the header, if there is one */
function readTags(headers: Headers, name: string, problems: Problem[]): Revisions | undefined {
  const value = headers.get(name);
  if (value === null) return undefined;
  if (value.trim() === '*') return 'any';
  if (!LIST.test(value)) {
    problems.push({ path: name, message: 'expected * or a list of quoted entity tags' });
  }
  return Array.from(value.matchAll(TAG), ([, tag = '']) => tag);
}
