import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

/** How a program ended. */
export interface Ended {
  readonly code: number | null;
  /** All that it wrote. */
  readonly output: string;
}

/** A Python that runs programs without starting again for each. */
export class Python {
  readonly #process: ChildProcess;
  readonly #port: number;

  private constructor(process: ChildProcess, port: number) {
    this.#process = process;
    this.#port = port;
  }

  /**
   * Starts it.
   * @param folder where programs find the modules that they import
   * @throws Error if it ends
   */
  static async start(folder: string): Promise<Python> {
    const program = ['-E', '-s', 'test/node/run-programs.py', folder];
    const child = spawn('python3', program, { stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const port of createInterface(child.stdout)) return new Python(child, Number(port));
    throw new Error('Python ended.');
  }

  /** Runs a program with additional environment variables. */
  async run(program: string, variables: Readonly<Record<string, string>>): Promise<Ended> {
    const socket = connect(this.#port, '127.0.0.1');
    socket.end(JSON.stringify({ text: program, variables }));
    const [output = '', code] = (await text(socket)).split('\0');
    return { code: Number(code), output };
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill();
    await ended;
  }
}
