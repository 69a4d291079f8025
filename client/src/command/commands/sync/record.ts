import type { Profile, ProfilePatch } from '../../../index.ts';
import { BrandApiError } from '../../../index.ts';
import { retry } from '../../../retry.ts';
import { shortened, withoutControls } from '../../../../../common/terminal/printable.ts';
import { connect, readProfile } from '../../service/connection.ts';
import type { CollectionName } from '../../../fields.ts';
import { sentenceOf } from '../../messages.ts';
import type { CommandContext } from '../../context.ts';
import type { Outcome } from './outcome.ts';
import { complaintOf } from './outcome.ts';
import { isSameStore } from './guards.ts';

/** How often the profile is read and changed, if somebody else changes it meanwhile. */
const TRIES = 3;

/** The longest error that a connection has, in UTF-16 units, before it is marked as cut. */
const LONGEST = 1999;

const SYNC_TIMES = {
  products: 'lastProductsSyncAt',
  'coupon-codes': 'lastDiscountsSyncAt',
} as const satisfies Readonly<Record<CollectionName, keyof Profile['connection']>>;

/**
 * Writes to the brand's connection when a sync read its source, and what somebody must look at.
 * @returns why that failed, as a sentence; undefined if it did not
 */
export async function record(
  outcome: Outcome,
  context: CommandContext,
): Promise<string | undefined> {
  const { signal } = context;
  // It was read before the sync.
  let { profile } = outcome;
  try {
    const { client } = connect(context, outcome.options);
    const attempt = async (): Promise<void> => {
      const { data, etag } = profile ?? (await readProfile(client));
      profile = undefined;
      const connection = patchOf(outcome, data.connection, context);
      if (Object.keys(connection).length === 0) return;
      await client.profile.update({ connection }, { ifMatch: etag, signal });
    };
    // The other collection may have been recorded at the same time.
    const isChanged = (error: unknown): BrandApiError | false =>
      error instanceof BrandApiError && error.status === 412 && error;
    await retry(attempt, isChanged, { tries: TRIES, signals: [signal] });
    return undefined;
  } catch (error) {
    const reason = signal.aborted ? 'There was no time left.' : sentenceOf(error);
    return `This could not be recorded in the connection: ${reason}`;
  }
}

type ConnectionPatch = NonNullable<ProfilePatch['connection']>;

function patchOf(
  outcome: Outcome,
  connection: Profile['connection'],
  context: CommandContext,
): ConnectionPatch {
  const { options, reading, executed, error } = outcome;
  const { collection } = options;
  const isDone = error === undefined && executed !== undefined;
  const complaint = complaintOf(outcome);
  const said = withoutControls(
    `${collection}: ${context.secrets.hide(complaint ?? '')}`.toWellFormed(),
  );
  const isOwn = connection.lastSyncError?.startsWith(`${collection}: `) ?? false;
  return {
    ...(isDone && { [SYNC_TIMES[collection]]: reading?.readAt.toISOString() }),
    ...(isDone && storeOf(outcome, connection)),
    ...(complaint !== undefined && { lastSyncError: shortened(said, LONGEST) }),
    ...(complaint === undefined && isOwn && { lastSyncError: null }),
  };
}

function storeOf(
  { reading, options: { newStore } }: Outcome,
  { storeDomain, status }: Profile['connection'],
): ConnectionPatch {
  const { domains } = reading ?? {};
  if (domains === undefined) return {};
  const isTied = storeDomain !== null && (!newStore || isSameStore(storeDomain, domains));
  return {
    ...(status !== 'CONNECTED' && { status: 'CONNECTED' }),
    // The service takes no address in place of a name, such as [::1].
    ...(!isTied && !domains[0]?.startsWith('[') && { storeDomain: domains[0] }),
  };
}
