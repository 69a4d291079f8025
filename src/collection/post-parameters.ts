import type { Context } from 'hono';
import * as z from 'zod/mini';
import type { ApiEnv } from '../http/api-env.ts';
import type { JsonBody } from '../http/body.ts';
import { parameter } from '../http/parameters.ts';
import type { Collection } from './collection.ts';

/** The parameters of a POST. */
export interface PostParameters {
  /** The field that a push matches by; undefined for a POST that only creates. */
  readonly match: string | undefined;
  /** Whether to report what the push would do, and write nothing. */
  readonly isDryRun: boolean;
  /** Whether an item does nothing if the resource is newer at its source. */
  readonly ifNewer: boolean;
}

/**
 * One of the two operations behind POST. It checks the parameters together with body and headers, so that all problems
 * of a request are reported together.
 */
export type PostOperation = (
  c: Context<ApiEnv>,
  body: JsonBody,
  parameters: () => PostParameters,
) => Promise<Response>;

/** The problem of a `match` that is not one of these. */
export function expectedMatch(matches: Collection['matches']): string {
  return `expected one of ${Object.keys(matches).join(', ')}`;
}

/** The schema of the parameters. It rejects unknown and repeated parameters by name. */
export function postParametersSchema({
  noun,
  matches,
  sourceTime,
}: Collection): z.ZodMiniType<PostParameters> {
  const flag = z.string().check(z.refine(isFlag, { error: 'expected true or false' }));
  const refused = z.string().check(
    z.refine(() => false, {
      error: `a ${noun.toLowerCase()} has no time of change at its source`,
    }),
  );
  const isMatch = (name: string): boolean => Object.hasOwn(matches, name);
  return z.pipe(
    z
      .strictObject({
        match: parameter(z.string().check(z.refine(isMatch, { error: expectedMatch(matches) }))),
        dryRun: parameter(flag),
        ifNewer: parameter(sourceTime === undefined ? refused : flag),
      })
      .check(onlyWithMatch('dryRun'), onlyWithMatch('ifNewer')),
    z.transform(({ match, dryRun, ifNewer }) => ({
      match,
      isDryRun: dryRun === 'true',
      ifNewer: ifNewer === 'true',
    })),
  );
}

function isFlag(text: string): boolean {
  return text === 'true' || text === 'false';
}

type Sent = Readonly<Partial<Record<'match' | 'dryRun' | 'ifNewer', string | undefined>>>;

function onlyWithMatch(name: 'dryRun' | 'ifNewer'): z.core.$ZodCheck<Sent> {
  return z.refine((sent: Sent) => sent.match !== undefined || sent[name] !== 'true', {
    path: [name],
    error: 'expected together with match',
  });
}
