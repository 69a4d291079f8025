import * as z from 'zod/mini';
import { decoded, flag, parameter, parameters } from '../http/parameters.ts';
import type { Collection } from './collection.ts';

export interface PostParameters {
  /** The field that a push matches by; undefined for a POST that only creates. */
  readonly match?: string | undefined;
  /** Whether to report what the push would do, and write nothing. */
  readonly dryRun?: boolean | undefined;
  /** Whether an item does nothing if the resource is newer at its source. */
  readonly ifNewer?: boolean | undefined;
}

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
  const needsMatch = (name: 'dryRun' | 'ifNewer'): z.core.$ZodCheck<PostParameters> =>
    z.refine(({ match, [name]: isSet }: PostParameters) => match !== undefined || isSet !== true, {
      path: [name],
      error: 'expected together with match',
    });
  return parameters({
    match: parameter(z.enum(Object.keys(matches), { error: expectedMatch(matches) })),
    dryRun: parameter(flag()),
    ifNewer: parameter(
      sourceTime === undefined
        ? decoded(
            (): undefined => undefined,
            `a ${noun.toLowerCase()} has no time of change at its source`,
          )
        : flag(),
    ),
  }).check(needsMatch('dryRun'), needsMatch('ifNewer'));
}
