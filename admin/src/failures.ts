import { classify } from '../../src/db/d1-failure.ts';
import { reasonOf } from '../../common/terminal/reason.ts';
import { DatabaseFailure, PERHAPS_CHANGED, UNCHANGED } from '../../common/operator-error.ts';

/** A failure of wrangler, explained for the operator. */
export interface Failure {
  /** One or two sentences, without SQL. */
  readonly reason: string;
  /** What it means for the change; may be empty. */
  readonly consequence: string;
  /** Whether the same call may succeed a moment later. */
  readonly passes: boolean;
}

export interface FailureContext {
  /** wrangler's flags for the database, such as `--remote --env=staging`. */
  readonly flags: string;
  readonly env: string | undefined;
  /** The name of the database's binding; by default that of the first. */
  readonly binding?: string | undefined;
}

type Sentence = string | ((context: FailureContext) => string);

const BUSY = /SQLITE_BUSY|SQLITE_LOCKED|database (table )?is locked/;

// wrangler's errors have only texts: its own, those of Cloudflare's API, and SQLite's. The first matching pattern
// counts.
const KNOWN: readonly (readonly [sign: RegExp, reason: Sentence, consequence?: string])[] = [
  [/SQLITE_FULL|disk is full/, 'The disk or the database is full.', UNCHANGED],
  [BUSY, 'The database is busy. Try again in a moment.', UNCHANGED],
  [
    /long-running (export|import)/,
    'The database is being exported or imported. Try again when that has ended.',
    UNCHANGED,
  ],
  [
    /no such (table|column)/,
    ({ flags, binding = 'DB' }) =>
      `This database lacks tables or columns. Apply the migrations: npx wrangler d1 migrations apply ${binding} ${flags}`,
  ],
  [
    /constraint failed|SQLITE_CONSTRAINT/,
    'The database refused a value that breaks one of its rules.',
    UNCHANGED,
  ],
  [
    /CLOUDFLARE_ACCOUNT_ID|More than one account/,
    'wrangler does not know which Cloudflare account to use. Set CLOUDFLARE_ACCOUNT_ID.',
  ],
  [
    /CLOUDFLARE_API_TOKEN|wrangler login|not (authenticated|logged in)|[Aa]uthentication error|[Ii]nvalid (access|API) [Tt]oken|Unable to authenticate|\[code: (10000|9109|9106|6003)\]/,
    'wrangler is not logged in to Cloudflare, or its login may not use this database. Run npx wrangler login, or set CLOUDFLARE_API_TOKEN.',
  ],
  [/No environment found/, ({ env = '' }) => `There is no environment "${env}" in wrangler.toml.`],
  [
    /Couldn't find (a D1 )?DB|[Dd]atabase (was )?not found|could not be found|\[code: 7404\]/,
    'Cloudflare does not have this database. Create it with npx wrangler d1 create, and put its id into wrangler.toml.',
  ],
  [
    /EACCES|EPERM|EROFS|ENOTDIR|ENOSPC/,
    'The folder of the local database cannot be created or written to.',
  ],
  [
    /fetch failed|ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|[Nn]etwork|timed? ?out/,
    ({ flags }) =>
      flags.startsWith('--local')
        ? 'The local database does not answer.'
        : 'Cloudflare cannot be reached. Check the network.',
    PERHAPS_CHANGED,
  ],
];

const UNKNOWN: Sentence = ({ flags, binding = 'DB' }) =>
  `wrangler failed, and this tool does not know the reason. To see what wrangler says: npx wrangler d1 migrations list ${binding} ${flags}`;

/**
 * Explains a report of wrangler. Its text is not repeated, because it may contain SQL.
 * @param report wrangler's whole output about the failure
 */
export function explain(report: string, context: FailureContext): Failure {
  const [, reason = UNKNOWN, consequence = ''] = known(report) ?? [];
  return {
    reason: typeof reason === 'string' ? reason : reason(context),
    consequence,
    passes: BUSY.test(report) || ['not begun', 'lost'].includes(classify(report)),
  };
}

/** Returns the failure of a local database that this process has opened, as a sentence; an unknown error as it is. */
export function explainedFailure(error: unknown, binding: string): unknown {
  const report = reasonOf(error);
  if (known(report) === undefined) return error;
  const { reason, consequence } = explain(report, { flags: '--local', env: undefined, binding });
  return new DatabaseFailure(reason, consequence);
}

function known(report: string): (typeof KNOWN)[number] | undefined {
  return KNOWN.find(([sign]) => sign.test(report));
}
