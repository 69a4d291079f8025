import type { Break } from './breaks.ts';
import type { configurations } from './configurations.ts';

/** A break, and a configuration that notices it, or that does not. */
interface Broken {
  readonly how: Break;
  readonly inSetup: keyof typeof configurations;
}

/** The breaks that lose something. */
export const broken: readonly Broken[] = [
  { how: 'noAttempt', inSetup: 'return' },
  { how: 'sameAttempt', inSetup: 'return' },
  { how: 'noHeads', inSetup: 'latePages' },
  { how: 'noKeys', inSetup: 'keys' },
  { how: 'restBehind', inSetup: 'latePages' },
  { how: 'pageById', inSetup: 'pages' },
  { how: 'takenFails', inSetup: 'pages' },
  { how: 'takenSkipped', inSetup: 'pages' },
  { how: 'noTombstones', inSetup: 'latePages' },
  { how: 'liveBefore', inSetup: 'latePages' },
  { how: 'blindSettle', inSetup: 'deletion' },
  { how: 'blindTidy', inSetup: 'deletion' },
  { how: 'dropFirst', inSetup: 'deletion' },
  { how: 'dropForgets', inSetup: 'deletion' },
  { how: 'blindDrop', inSetup: 'deletion' },
  { how: 'lostIsFailed', inSetup: 'deletion' },
  { how: 'trustFreeze', inSetup: 'keys' },
  { how: 'writeFrozen', inSetup: 'pages' },
  { how: 'noSchedule', inSetup: 'deletion' },
  { how: 'abortKeepsFreeze', inSetup: 'keys' },
  { how: 'copyFreeze', inSetup: 'keys' },
  { how: 'homeByKeys', inSetup: 'keys' },
  { how: 'staleLook', inSetup: 'return' },
  { how: 'beginDeleted', inSetup: 'deletion' },
  { how: 'forgetTries', inSetup: 'sessions' },
  { how: 'blindBegin', inSetup: 'threeDatabases' },
  { how: 'noCursor', inSetup: 'restored' },
  { how: 'halfSettle', inSetup: 'restored' },
  { how: 'openFirst', inSetup: 'restored' },
];

/** The breaks of a second line of defence: as long as the first one holds, nothing is lost. */
export const harmless: readonly Broken[] = [{ how: 'blindRedirect', inSetup: 'circle' }];
