import * as z from 'zod/mini';

/** A move of a brand, as its source knows it. */
export interface Move {
  readonly brandId: string;
  readonly id: string;
  /** Each move of a brand has the next number. */
  readonly generation: number;
  /** The number of the database that the brand leaves. */
  readonly source: number;
  /** The number of the database that it moves to. */
  readonly target: number;
  /** Who began it. */
  readonly actor: string;
}

/** How much is done at once, and other bounds. Only tests need others than the default. */
export interface Limits {
  /** The number of rows of a list that are copied or compared at once. */
  readonly rows: number;
  /** About how many bytes of a list are copied or compared at once. */
  readonly bytes: number;
  /** The number of rows of a table that a statement deletes. */
  readonly deletions: number;
  /** The size of a database, in bytes, above which it takes no brand. */
  readonly full: number;
  /** How often a commit may fail before the brand is frozen. */
  readonly commits: number;
  /** How long a brand may be frozen, in milliseconds. */
  readonly frozen: number;
  /** How many days the data stays in the source. */
  readonly days: number;
  /** How long the mover rests after a step, in multiples of the time that it took. */
  readonly rest: number;
}

/** D1 holds 10 GB, 2 MB per value, and lets a batch run for 30 seconds. */
export const LIMITS: Limits = {
  rows: 1000,
  bytes: 1_000_000,
  deletions: 5000,
  full: 8e9,
  commits: 3,
  frozen: 5000,
  days: 7,
  rest: 3,
};

/** What a call of `advance` did. */
export interface Progress {
  /**
   * What to do next: call it `again` at once; or `later`, because the brand is too busy, or because its data stays in the
   * source for some days; or nothing, because the move is `done`.
   */
  readonly next: 'again' | 'later' | 'done';
  /** The state of the move in its source. From `gone` on, the target has the brand. */
  readonly state: MoveState;
  /** Whether the target serves the brand. */
  readonly isSettled: boolean;
  readonly copiedRows: number;
  readonly copiedBytes: number;
  readonly failedCommits: number;
  /**
   * How long to wait before the next call, in milliseconds: a database does one thing at a time, and its other brands need
   * it too.
   */
  readonly rest: number;
}

/** How far a copy is: the number of the last change of each collection, and the last record. */
export interface Cursor {
  readonly changes: Readonly<Record<string, number>>;
  /** The time and the key of the last record. */
  readonly record: readonly [at: string, key: string];
}

/** Where a copy begins. */
export const START: Cursor = { changes: {}, record: ['', ''] };

const changes = z.record(z.string(), z.number());

const cursor = z.object({
  changes,
  record: z.tuple([z.string(), z.string()]),
});

const states = z.enum(['clearing', 'copying', 'gone', 'tidied', 'aborted', 'over', 'home']);

/** What a row of `moves` says about a move. */
export type MoveState = z.infer<typeof states>;

/** Reads a state as `moves` has it. */
export function parseState(value: unknown): MoveState {
  return states.parse(value);
}

/** Reads how far a copy is, as `moves` has it. */
export function parseCursor(value: unknown): Cursor {
  return cursor.parse(JSON.parse(String(value)));
}

/** Reads how far a copy was compared, as `moves` has it. */
export function parseVerified(value: unknown): Cursor['changes'] {
  return changes.parse(JSON.parse(String(value)));
}
