import { execFile } from 'node:child_process';
import process from 'node:process';
import { promisify } from 'node:util';
import { ROOT } from './wrangler.ts';

// The runtime of a command that was killed by force lives on, and keeps the file of its local database open. After a
// dozen of them, everybody who uses the file gets SQLITE_BUSY.

/** Where the runtimes of this project are. */
const RUNTIME = `${ROOT}node_modules/@cloudflare/workerd-`;

/** The start of a command of this project, as it is or through npm. */
const COMMAND = /^(?:\S*\/)?(?:node|npm|npx)(?: |$)/;

interface RunningProcess {
  readonly pid: number;
  /** The id of the process that started it, or inherited it. */
  readonly parent: number;
  readonly command: string;
}

/** Ends the runtimes of this project whose command is gone. Without a `ps`, as on Windows, it ends none. */
export async function endOrphans(): Promise<void> {
  for (const { pid } of orphansAmong(await listProcesses())) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile, or belongs to another user.
    }
  }
}

/** Returns the runtimes of this project whose command is gone. */
export function orphansAmong(all: readonly RunningProcess[]): RunningProcess[] {
  // The first process inherits them, or the one that manages the user's session. In a container, the first process may be
  // a command itself, whose runtime is alive.
  const first = all.find(({ pid }) => pid === 1);
  const heirs = new Set(
    all.filter(({ command }) => command.includes('systemd --user')).map(({ pid }) => pid),
  );
  if (first === undefined || !COMMAND.test(first.command)) heirs.add(1);
  return all.filter(({ parent, command }) => heirs.has(parent) && command.startsWith(RUNTIME));
}

/** Lists the processes of this machine; none without a `ps`. */
export async function listProcesses(): Promise<RunningProcess[]> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args=']);
    return [...stdout.matchAll(/^ *(\d+) +(\d+) (.*)$/gm)].map(([, pid, parent, command = '']) => ({
      pid: Number(pid),
      parent: Number(parent),
      command,
    }));
  } catch {
    return [];
  }
}
