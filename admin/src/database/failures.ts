import type { KnownD1Error } from '../../../src/operator.ts';
import { d1ErrorIn } from '../../../src/operator.ts';
import { reasonOf } from '../../../common/terminal/reason.ts';
import {
  DatabaseFailure,
  PERHAPS_CHANGED,
  UNCHANGED,
} from '../../../common/wrangler/database-failure.ts';

/** A failure of wrangler, explained for the operator. */
interface ExplainedFailure {
  /** One or two sentences, without SQL. */
  readonly reason: string;
  /** What it means for the change; may be empty. */
  readonly consequence: string;
  /** Whether the same call may succeed a moment later. */
  readonly passes: boolean;
}

interface FailureContext {
  /** wrangler's flags for the database, such as `--remote --env=staging`. */
  readonly flags: string;
  readonly env: string | undefined;
  /** The name of the database's binding; by default that of the first. */
  readonly binding?: string | undefined;
}

type Sentence = string | ((context: FailureContext) => string);

/** A sign in a report, and what it means. */
type KnownSign = readonly [sign: Pick<RegExp, 'test'>, reason: Sentence, consequence?: string];

const OTHERS: readonly KnownSign[] = [
  [
    /\[code: 7403\]/,
    'This login may not use D1 in this account. Check CLOUDFLARE_ACCOUNT_ID, and that the token has the permission D1.',
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
];

/** What D1's own errors mean. */
const OF_D1: Readonly<
  Record<KnownD1Error['name'], readonly [reason: Sentence, consequence: string]>
> = {
  'daily limit': [
    "This account has used up what D1's free plan allows in a day. Wait until midnight UTC, or change to the paid plan.",
    UNCHANGED,
  ],
  full: [
    'The disk or the database is full. D1 holds 10 GB in a database, and 500 MB on the free plan.',
    UNCHANGED,
  ],
  'export or import': [
    'The database is being exported or imported. Try again when that has ended.',
    UNCHANGED,
  ],
  'too much at once': [
    'D1 ended the call, because it took too much time, memory or CPU time.',
    PERHAPS_CHANGED,
  ],
  overloaded: ['D1 has no capacity for this database now. Try again in a minute.', UNCHANGED],
  unreachable: ['D1 cannot reach this database now. Try again in a moment.', UNCHANGED],
  busy: ['The database is busy. Try again in a moment.', UNCHANGED],
  reset: ['D1 has restarted this database.', PERHAPS_CHANGED],
  'connection lost': ['The answer of D1 was lost.', PERHAPS_CHANGED],
};

/** No answer. Some of these words are in other errors too. */
const NETWORK: KnownSign = [
  /fetch failed|ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|[Nn]etwork|timed? ?out/,
  ({ flags }) =>
    flags.startsWith('--local')
      ? 'The local database does not answer.'
      : 'Cloudflare cannot be reached. Check the network.',
  PERHAPS_CHANGED,
];

// wrangler's errors have only texts: its own, those of Cloudflare's API, SQLite's and D1's. The first sign counts.
const KNOWN: readonly KnownSign[] = [
  ...OTHERS,
  ...Object.entries(OF_D1).map(
    ([name, [reason, consequence]]) =>
      [
        { test: (report: string) => d1ErrorIn(report)?.name === name },
        reason,
        consequence,
      ] as const,
  ),
  NETWORK,
];

const UNKNOWN: Sentence = ({ flags, binding = 'DB' }) =>
  `wrangler failed, and this tool does not know the reason. To see what wrangler says: npx wrangler d1 migrations list ${binding} ${flags}`;

/**
 * Explains a report of wrangler. Its text is not repeated, because it may contain SQL.
 * @param report wrangler's whole output about the failure
 */
export function explain(report: string, context: FailureContext): ExplainedFailure {
  const [, reason = UNKNOWN, consequence = ''] = known(report) ?? [];
  return {
    reason: typeof reason === 'string' ? reason : reason(context),
    consequence,
    passes: ['not begun', 'answer lost'].includes(d1ErrorIn(report)?.reason ?? ''),
  };
}

/** Returns the failure of a local database that this process has opened, as a sentence; an unknown error as it is. */
export function explainedFailure(error: unknown, binding: string): unknown {
  const report = reasonOf(error);
  if (known(report) === undefined) return error;
  const { reason, consequence } = explain(report, { flags: '--local', env: undefined, binding });
  return new DatabaseFailure(reason, consequence);
}

function known(report: string): KnownSign | undefined {
  return KNOWN.find(([sign]) => sign.test(report));
}
