/** The ways in which the protocol can be broken, and what each leaves out or does instead. */
export const breaks = {
  noAttempt: "B's writes do not check the attempt",
  sameAttempt: 'a run that does not know what its call did goes on with the same attempt',
  noHeads: 'the commit does not compare the heads',
  noKeys: 'the commit does not compare the keys',
  noCursor: 'a page and the rest do not check how far the copy is',
  restBehind: 'the rest is written although the pages are not as far',
  pageById: 'a page has the changes in the order of their ids',
  takenFails: 'a page that meets a taken code fails',
  takenSkipped: 'a row that meets a taken code or id is skipped',
  noTombstones: 'tombstones are not copied',
  liveBefore: "B's keys are live before the commit",
  blindSettle: 'the settling call does not check the move',
  blindTidy: 'the tidying call does not check the move',
  blindRedirect: 'the redirecting call does not check the generation',
  dropFirst: 'the copy is deleted before the move is aborted in the source',
  dropForgets: 'the deletion of the copy does not leave the row of the move',
  blindDrop: 'the deletion of the copy does not check the move',
  lostIsFailed: 'a commit whose answer is lost is taken for failed',
  trustFreeze: 'the commit of a frozen brand does not compare the heads',
  writeFrozen: 'frozen keys may write, and the commit of a frozen brand does not compare the heads',
  noSchedule: 'nothing unfreezes but the mover',
  abortKeepsFreeze: 'an abort does not unfreeze',
  copyFreeze: 'keys are copied with their freeze',
  homeByKeys: 'a command takes a brand without redirected keys to be at home',
  staleLook: 'a command acts where the brand was at home when it looked',
  beginDeleted: 'a brand may move while it is being deleted',
  forgetTries: 'a redirected write forgets that it was tried',
  blindBegin: 'a new move begins before the copy of the one that was given up is deleted',
} as const;

/** A way to break the protocol. */
export type Break = keyof typeof breaks;
