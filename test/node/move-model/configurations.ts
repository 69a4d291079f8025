import type { Setup } from './setup.ts';
import { oneRow, twoRows } from './setup.ts';

const calm = {
  databases: 2,
  rows: oneRow,
  pageSize: 1,
  keys: 1,
  drivers: 1,
  late: 1,
  moves: 1,
  writes: [],
  writesLeft: 0,
  writers: 0,
  hasReader: false,
  mayFreeze: false,
  mayGiveUp: false,
  commands: [],
  mayRestore: false,
} as const satisfies Setup;

/** The configurations that are explored. Together they have all actors. */
export const configurations = {
  /** Two runs of the mover at once, and every kind of change while the pages are copied, codes that swap included. */
  pages: {
    ...calm,
    rows: twoRows,
    drivers: 2,
    late: 0,
    writes: ['change 0', 'swap codes', 'delete 0', 'profile'],
    writesLeft: 2,
    mayFreeze: true,
  },
  /** Two late calls at once. */
  latePages: {
    ...calm,
    late: 2,
    writes: ['change 0', 'delete 0'],
    writesLeft: 2,
  },
  /** Keys that are issued and revoked, freezing, giving up, a reader. */
  keys: {
    ...calm,
    keys: 2,
    writes: ['change 0'],
    writesLeft: 1,
    mayFreeze: true,
    mayGiveUp: true,
    hasReader: true,
    commands: ['issue', 'revoke'],
  },
  /** The brand is deleted, and its move aborted, at any time; a second move begins. */
  deletion: {
    ...calm,
    moves: 2,
    writes: ['change 0'],
    writesLeft: 1,
    mayGiveUp: true,
    mayFreeze: true,
    commands: ['delete', 'abort'],
  },
  /** The brand moves to B and back, or is given up and begins again. */
  return: {
    ...calm,
    moves: 2,
    writes: ['change 0'],
    writesLeft: 1,
    hasReader: true,
    mayFreeze: true,
    commands: ['revoke', 'abort'],
  },
  /** Three databases, and moves that are aborted: the next one may go elsewhere. */
  threeDatabases: {
    ...calm,
    databases: 3,
    moves: 2,
    commands: ['abort'],
  },
  /** Three moves in a circle, and a reader who follows them. */
  circle: {
    ...calm,
    databases: 3,
    moves: 3,
    route: [1, 2, 0],
    hasReader: true,
  },
  /** Two writers with preconditions and a reader, each with lost answers, late calls and redirects. */
  sessions: {
    ...calm,
    late: 0,
    writers: 2,
    hasReader: true,
    mayFreeze: true,
    commands: ['revoke'],
  },
  /** B is restored to an earlier moment of the move. */
  restored: {
    ...calm,
    rows: twoRows,
    writes: ['change 0'],
    writesLeft: 1,
    commands: ['revoke'],
    mayRestore: true,
  },
} as const satisfies Record<string, Setup>;
