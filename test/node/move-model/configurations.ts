import type { Setup } from './setup.ts';
import { oneRow, twoRows } from './setup.ts';

const calm = {
  databases: 2,
  rows: oneRow,
  pageSize: 1,
  keys: 1,
  drivers: 1,
  late: 0,
  moves: 1,
  writes: [],
  writesLeft: 0,
  writers: 0,
  hasReader: false,
  mayFreeze: false,
  mayGiveUp: false,
  commands: [],
} as const satisfies Setup;

/** The configurations that are explored. Together they have all actors. */
export const configurations: Readonly<Record<string, Setup>> = {
  pages: {
    ...calm,
    rows: twoRows,
    drivers: 2,
    writes: ['change 0', 'swap codes', 'delete 0', 'profile'],
    writesLeft: 2,
    mayFreeze: true,
  },
  latePages: {
    ...calm,
    rows: twoRows,
    late: 2,
    writes: ['change 0', 'swap codes', 'delete 0'],
    writesLeft: 2,
  },
  operator: {
    ...calm,
    keys: 2,
    late: 1,
    drivers: 2,
    writes: ['change 0'],
    writesLeft: 1,
    mayFreeze: true,
    mayGiveUp: true,
    hasReader: true,
    commands: ['issue', 'revoke', 'delete', 'abort'],
  },
  again: {
    ...calm,
    late: 1,
    moves: 2,
    writes: ['change 0', 'profile'],
    writesLeft: 2,
    mayFreeze: true,
    mayGiveUp: true,
    hasReader: true,
    commands: ['revoke', 'abort'],
  },
  three: {
    ...calm,
    databases: 3,
    late: 1,
    moves: 3,
    hasReader: true,
    commands: ['abort'],
  },
  sessions: {
    ...calm,
    writers: 2,
    late: 1,
    hasReader: true,
    mayFreeze: true,
    commands: ['revoke'],
  },
};
