import { createInterface } from 'node:readline/promises';
import { Failure } from '../../../common/failure.ts';
import { Interrupted } from './interruption.ts';

/** What an operator is asked before something that cannot be undone. */
export interface Question {
  readonly text: string;
  /** What to type for it to be done. */
  readonly answer: string;
  /** What is said without a terminal, where nobody can be asked. */
  readonly withoutTerminal: string;
  /** What is said if it is not done. */
  readonly notDone: string;
}

/**
 * @throws Failure unless the operator types the answer; if they press Ctrl+D too
 * @throws Interrupted if they press Ctrl+C
 */
export async function confirm(question: Question): Promise<void> {
  const { text, answer, withoutTerminal, notDone } = question;
  if (!process.stdin.isTTY) throw new Failure(withoutTerminal);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // While a line is read from a terminal, Ctrl+C sends no signal to the process.
  const stop = new AbortController();
  terminal.once('SIGINT', () => {
    stop.abort();
  });
  const typed = await terminal.question(text, stop).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'AbortError') return undefined;
    throw error;
  });
  terminal.close();
  if (stop.signal.aborted) throw new Interrupted('SIGINT', notDone);
  if (typed === undefined) throw new Failure(notDone);
  if (typed.trim() !== answer) throw new Failure(`The answer does not match. ${notDone}`);
}
