import type { UnavailableReason } from '../errors.ts';

// D1's errors have no codes, only texts: those of https://developers.cloudflare.com/d1/observability/debug-d1/ and
// https://developers.cloudflare.com/changelog/post/2026-09-01-d1-free-tier-limit-enforcement/, those of the runtime
// (Errors and exceptions), SQLite's result codes, and some that only production shows. Only this table knows them. The
// operator's tool says what each means.

interface D1Error {
  readonly name: string;
  readonly reason: UnavailableReason;
  /** A part of each of its texts. */
  readonly texts: readonly string[];
}

/** The first error of which a part is in a text counts. */
export const D1_ERRORS = [
  { name: 'daily limit', reason: 'daily limit', texts: ['free tier daily'] },
  // "Exceeded maximum DB size", and "… exceeded D1's maximum account storage limit".
  { name: 'full', reason: 'full', texts: ['xceeded maximum', 'maximum account', 'SQLITE_FULL'] },
  // The operator has started it.
  { name: 'export or import', reason: 'overloaded', texts: ['long-running'] },
  // The time, memory or CPU time of an object. With the space, it is not V8's "Maximum call stack size exceeded".
  { name: 'too much at once', reason: 'overloaded', texts: ['exceeded '] },
  {
    name: 'overloaded',
    reason: 'overloaded',
    texts: ['overloaded', 'Too many requests queued', 'SQLITE_IOERR', 'SQLITE_NOMEM'],
  },
  // "Cannot resolve D1 DB due to transient issue".
  { name: 'unreachable', reason: 'not begun', texts: ['transient issue'] },
  // A database or a table. Another connection is writing: only in local development, next to the tools.
  { name: 'busy', reason: 'not begun', texts: ['is locked'] },
  {
    name: 'reset',
    reason: 'answer lost',
    texts: ['caused object to be reset', 'code was updated', 'D1_RESET_DO'],
  },
  {
    name: 'connection lost',
    reason: 'answer lost',
    texts: [
      'connection lost',
      // A replica from the primary; or the stream between the Worker and D1, whose client is the Worker.
      'disconnected',
      // The whole text is "internal error; reference = …": the runtime hides the cause.
      'internal error',
      // A proxy in front of D1 sent an error page.
      'parse body as JSON',
      'daemonDown',
    ],
  },
] as const satisfies readonly D1Error[];

/** An error of D1, with what it says of the call: not done, not begun, or perhaps done. */
export type KnownD1Error = (typeof D1_ERRORS)[number];

/** Returns the error of D1 that has a text; undefined if the text is of none. */
export function d1ErrorIn(text: string): KnownD1Error | undefined {
  return D1_ERRORS.find(({ texts }) => texts.some((part) => text.includes(part)));
}
