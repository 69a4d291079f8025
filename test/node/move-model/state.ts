/** A database, by its number. */
export type Place = 0 | 1 | 2;

/** A row of a collection: a coupon code, because codes are unique. */
export interface Row {
  readonly id: number;
  readonly number: number;
  readonly code: string;
}

/** What is left of a deleted row. */
export interface Tombstone {
  readonly id: number;
  readonly number: number;
}

/** What clients read and write of a brand. */
export interface Content {
  /** In the order of their ids. */
  readonly rows: readonly Row[];
  /** In the order of their numbers. */
  readonly tombstones: readonly Tombstone[];
  /** The revision of all that has no change number: the profile, and the idempotency records. */
  readonly profile: number;
}

/** The row of an API key. */
export interface Key {
  /** The database that has the brand now; null if it is this one. */
  readonly movedTo: Place | null;
  readonly isFrozen: boolean;
  readonly isRevoked: boolean;
}

/** The row of a move, in the database that the brand leaves (`out`) or in the one to which it goes (`in`). */
export interface Move {
  /** Each move of a brand has a higher one: its generation. */
  readonly id: number;
  readonly role: 'out' | 'in';
  readonly peer: Place;
  /** The run of the mover that may act. */
  readonly attempt: number;
  readonly state:
    | 'clearing' // in: what an earlier stay left is being deleted
    | 'copying'
    | 'gone' // out: committed
    | 'home' // in: settled
    | 'tidied' // out: the end of a move
    | 'aborted' // out: given up; in: the copy is deleted
    | 'over'; // out: the end of a move that was given up
  /** In: the last change number that was copied. */
  readonly cursor: number;
  /** In: whether the brand has been here before, so that keys of this database point at others. */
  readonly isReturn: boolean;
}

/** All that a database has of the brand. */
export interface Database {
  readonly hasBrand: boolean;
  readonly content: Content;
  /** By number of the key. */
  readonly keys: readonly (Key | null)[];
  readonly move: Move | null;
  /** The newest move that this database has heard of. */
  readonly generation: number;
}

/** A change as a page carries it: a row, or a tombstone if there is no code. */
export interface Item {
  readonly id: number;
  readonly number: number;
  readonly code: string | null;
}

/** What has no change number and is copied last, and the newest number beside it. */
export interface Rest {
  readonly head: number;
  readonly profile: number;
  readonly keys: readonly (Key | null)[];
}

/** A call of the mover to a database. */
export type Call =
  | { readonly to: 'claim the source' }
  | { readonly to: 'claim the target' }
  | { readonly to: 'clear the target' }
  | { readonly to: 'read a page'; readonly after: number }
  | { readonly to: 'write a page'; readonly after: number; readonly page: readonly Item[] }
  | { readonly to: 'read the rest'; readonly after: number }
  | { readonly to: 'prepare'; readonly rest: Rest }
  | { readonly to: 'commit'; readonly rest: Rest }
  | { readonly to: 'freeze'; readonly after: number }
  | { readonly to: 'settle'; readonly rest: Rest }
  | { readonly to: 'redirect' }
  | { readonly to: 'tidy' }
  | { readonly to: 'give up' }
  | { readonly to: 'drop the copy' }
  | { readonly to: 'close' };

/** A run of the mover, before its next call. Or one of its calls, if it is late. */
export interface Driver {
  readonly move: number;
  readonly source: Place;
  readonly target: Place;
  readonly attempt: number;
  readonly call: Call;
}

/** A reader that follows its key, before it asks a database. */
export interface Reader {
  readonly key: number;
  readonly at: Place;
}

/** A write that holds only if row 0 is as its client has seen it (`If-Match`), and that is retried. */
export interface Writer {
  /** Where it is tried next; null if it has its answer. */
  readonly at: Place | null;
  /** A try that has not arrived yet, and that nobody waits for. */
  readonly late: Place | null;
  readonly ifNumber: number;
  /** Whether there were earlier tries. */
  readonly isRetry: boolean;
  /** The number that it gave the row; 0 if none. A row names its writer in its revision. */
  readonly wrote: number;
}

/** What nobody in the system sees: what must be true, and how much may still happen. */
export interface World {
  /** Where each key was issued, which its text says; null if it was not. */
  readonly issued: readonly (Place | null)[];
  readonly revoked: readonly boolean[];
  /** Where the deletion of the brand has begun. */
  readonly deletedAt: Place | null;
  readonly reader: Reader | null;
  readonly writesLeft: number;
  readonly movesLeft: number;
  readonly isRestored: boolean;
  /** A step that must not happen. */
  readonly fault: string | null;
}

/** A state of the whole system. */
export interface State {
  readonly databases: readonly Database[];
  readonly drivers: readonly (Driver | null)[];
  /** Calls of the mover whose run is over, and that may still arrive. */
  readonly late: readonly (Driver | null)[];
  readonly writers: readonly (Writer | null)[];
  /** The content after all writes that took effect. */
  readonly truth: Content;
  /** What B was at a moment to which it can be restored. */
  readonly moment: Database | null;
  readonly world: World;
}

/** What a database has of a brand that was never there. */
export const nothing: Content = { rows: [], tombstones: [], profile: 0 };

/** The name of a database in a trace. */
export function nameOf(place: Place): string {
  return ['A', 'B', 'C'][place] ?? '';
}

/** Returns a copy of a list with another item at a place. */
export function replaced<T>(list: readonly T[], at: number, item: T): readonly T[] {
  return list.with(at, item);
}

/** Returns a database. */
export function databaseAt({ databases }: State, place: Place): Database {
  const database = databases[place];
  if (database === undefined) throw new RangeError(`There is no database ${place}.`);
  return database;
}

/** Returns the state with another database in a place. */
export function withDatabase(state: State, place: Place, database: Database): State {
  return { ...state, databases: replaced(state.databases, place, database) };
}

/** Returns the state with a change to the world. */
export function withWorld(state: State, change: Partial<World>): State {
  return { ...state, world: { ...state.world, ...change } };
}

/** The highest change number of a content. */
export function headOf({ rows, tombstones }: Content): number {
  let head = 0;
  for (const { number } of rows) head = Math.max(head, number);
  for (const { number } of tombstones) head = Math.max(head, number);
  return head;
}

/** Whether two contents are equal. */
export function isSameContent(one: Content, other: Content): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
