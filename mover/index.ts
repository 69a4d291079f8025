// Moves brands between databases. What drives it calls `beginMove`, then `advance` until it is done, and `redirect` on each
// other database once the move is settled.
export { abortMove } from './abort.ts';
export type { Options } from './advance.ts';
export { advance } from './advance.ts';
export type { Plan } from './begin.ts';
export { beginMove } from './begin.ts';
export { NotArrived, redirect } from './commit.ts';
export { unfreeze } from './freeze.ts';
export type { Limits, Move, MoveState, Progress } from './move.ts';
export { newestMove, openMove, takeOver } from './open.ts';
export type { Status } from './status.ts';
export { countRows, readStatus } from './status.ts';
export type { Bound, Database } from './transaction.ts';
