import type { Context } from 'hono';
import type { Problem } from '../errors.ts';
import { errorCode, InvalidRequest, problemsText, Unavailable } from '../errors.ts';
import type { OuterEnv } from './api-env.ts';

/** Problems that a line names. */
const MAX_LOGGED = 20;

const MAX_PATH = 100;

/** The errors of requests that have no route: their path says what was meant. */
const WITHOUT_ROUTE: readonly string[] = ['no-such-path', 'method-not-allowed'];

/** Returns what the log says of the error of a request: its cause, and details without what a client may keep secret. */
export function causeOf({ error, req }: Context<OuterEnv>): object {
  if (error === undefined) return {};
  const cause = errorCode(error);
  return {
    cause,
    reason: error instanceof Unavailable ? error.reason : undefined,
    problems:
      error instanceof InvalidRequest
        ? problemsText(error.problems.map(withoutValues), error.unlisted, MAX_LOGGED)
        : undefined,
    path: WITHOUT_ROUTE.includes(cause) ? safePath(req.url) : undefined,
  };
}

/** What a message repeats of what was sent. */
const QUOTED = /"(?:[^"\\]|\\.)*"?/g;

/** A problem in the words of the service alone, and with names that are no secret. */
function withoutValues({ path, message, unknownName = '' }: Problem): Problem {
  const shown = isHarmless(unknownName) ? path : `${path.slice(0, -unknownName.length)}…`;
  return { path: shown, message: message.replace(QUOTED, '"…"') };
}

/** Whether the name of a field or parameter can be no key or token, neither of this service nor of another one. */
function isHarmless(name: string): boolean {
  const hasLongRun = /[0-9A-Za-z]{20}/.test(name) && /\d/.test(name);
  return /^\w{0,40}$/.test(name) && !name.includes('bik_') && !hasLongRun;
}

/** Returns the path of a URL without what may be a secret. An id has no run of 20 letters and digits. */
function safePath(url: string): string {
  return new URL(url).pathname.replace(/[0-9A-Za-z]{20,}/g, '…').slice(0, MAX_PATH);
}
