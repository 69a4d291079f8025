import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import { open, rm, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { explained } from '../../../../common/terminal/reason.ts';
import type { CommandContext } from '../context.ts';
import { Failure } from '../../../../common/failure.ts';

export class ProgramFailure extends Failure {}

/** What a program needs that reads pages of lines. */
interface PageProgram extends Pick<CommandContext, 'env' | 'signal'> {
  /** Aborts after the grace. */
  readonly late: AbortSignal;
  /** For the shell. */
  readonly command: string;
  /** The path of a file that holds one page; nobody else may use it. */
  readonly path: string;
  /** Inherited, so that it stays locked as long as the program runs. */
  readonly lock: FileHandle;
}

/**
 * Runs a program that reads a text from its standard input. The text comes from a file: so the program has all of it, even
 * if this command is killed now.
 * @throws ProgramFailure if it does not exit with 0; Failure if it cannot run; the reason of the signal
 */
export async function runPageProgram(text: string, program: PageProgram): Promise<void> {
  const { command, env, lock } = program;
  const input = await inputFile(program.path, text);
  try {
    const child = spawn(command, {
      shell: true,
      env,
      // Nothing is written to the last one. It closes when the program and all that it started have ended.
      stdio: [input.fd, 'inherit', 'inherit', lock.fd, 'pipe'],
    });
    await ended(child, program);
    const { exitCode, signalCode } = child;
    if (exitCode === 0) return;
    const how =
      signalCode === null
        ? `ended with exit code ${String(exitCode)}`
        : `was ended by ${signalCode}`;
    throw new ProgramFailure(`The program ${how}. Its lines come again.`);
  } finally {
    await input.close();
  }
}

/**
 * Waits until a program and all that it started have ended.
 * @throws the reason of the signal, after the grace: the next run waits for the program, and runs it again
 */
async function ended(child: ChildProcess, { signal, late }: PageProgram): Promise<void> {
  for (const stream of child.stdio) if (stream instanceof Readable) stream.resume();
  try {
    await once(child, 'close', { signal: late });
  } catch (error) {
    if (!late.aborted) throw error;
  } finally {
    for (const stream of child.stdio) stream?.destroy();
    child.unref();
  }
  if (child.exitCode === null && child.signalCode === null) signal.throwIfAborted();
}

/** Returns a file that has a text, and no longer a name. */
async function inputFile(path: string, text: string): Promise<FileHandle> {
  try {
    // One that is left may be a pipe, which nobody reads.
    await rm(path, { force: true });
    await writeFile(path, text, { mode: 0o600, flag: 'wx' });
    const file = await open(path);
    await rm(path);
    return file;
  } catch (error) {
    // On a full disk, a part of it would stay there.
    await rm(path, { force: true }).catch(() => undefined);
    throw new Failure(`${path} cannot be written: ${explained(error)}.`);
  }
}
