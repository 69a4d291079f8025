import type { Break } from './breaks.ts';
import type { Driver, Key, Place, Row, State } from './state.ts';
import { nothing } from './state.ts';

/** A change that a client may make in one request. */
export type Write = 'change 0' | 'change 1' | 'swap codes' | 'delete 0' | 'delete 1' | 'profile';

/** What an operator may do besides beginning a move. */
export type Command = 'issue' | 'revoke' | 'delete' | 'abort';

/** A configuration of the model: who takes part, and how much each may do. */
export interface Setup {
  readonly databases: 2 | 3;
  /** The rows at first, and how many changes fit into a page. */
  readonly rows: readonly Row[];
  readonly pageSize: number;
  /** How many keys there can be; one exists at first. */
  readonly keys: 1 | 2;
  /** Runs of the mover at the same time. */
  readonly drivers: 1 | 2;
  /** Late calls of the mover at the same time. */
  readonly late: 0 | 1 | 2;
  readonly moves: number;
  /** Where each of these moves goes; anywhere if absent. */
  readonly route?: readonly Place[];
  /** Which writes clients make that have no state, and how many in all. */
  readonly writes: readonly Write[];
  readonly writesLeft: number;
  /** Writers that retry. */
  readonly writers: 0 | 1 | 2;
  readonly hasReader: boolean;
  readonly mayFreeze: boolean;
  /** Whether the mover may give up by itself. */
  readonly mayGiveUp: boolean;
  readonly commands: readonly Command[];
  /** Whether B may be restored once, to an earlier moment of a move that is not settled. */
  readonly mayRestore: boolean;
  readonly broken?: Break;
}

/** Two rows with a code each. */
export const twoRows: readonly Row[] = [
  { id: 0, number: 1, code: 'x' },
  { id: 1, number: 2, code: 'y' },
];

/** One row. */
export const oneRow: readonly Row[] = twoRows.slice(0, 1);

const places: readonly Place[] = [0, 1, 2];

/** The databases of a configuration. */
export function placesOf({ databases }: Setup): readonly Place[] {
  return places.slice(0, databases);
}

/** The state in which a configuration begins: the brand is at home in A, which issued its key. */
export function initialState(setup: Setup): State {
  const noKeys = Array.from({ length: setup.keys }, (): Key | null => null);
  const empty = { hasBrand: false, content: nothing, keys: noKeys, move: null, generation: 0 };
  const content = { ...nothing, rows: setup.rows };
  const key = { movedTo: null, isFrozen: false, isRevoked: false };
  const home = { ...empty, hasBrand: true, content, keys: noKeys.with(0, key) };
  const free = (length: number): readonly (Driver | null)[] => Array.from({ length }, () => null);
  return {
    databases: placesOf(setup).map((place) => (place === 0 ? home : empty)),
    drivers: free(setup.drivers),
    late: free(setup.late),
    writers: Array.from({ length: setup.writers }, () => null),
    truth: content,
    moment: null,
    world: {
      issued: noKeys.map((_, key) => (key === 0 ? 0 : null)),
      revoked: noKeys.map(() => false),
      deletedAt: null,
      reader: null,
      writesLeft: setup.writesLeft,
      movesLeft: setup.moves,
      isRestored: false,
      fault: null,
    },
  };
}
