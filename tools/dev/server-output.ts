import type { ChildProcess } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';

/** For how long a server says nothing once it has said what it has to, in milliseconds. */
const SILENCE = 300;

/** What the server prints: passed on as it comes, or held back for a while. */
export class ServerOutput {
  #last = 0;
  #held: (() => void)[] | undefined;

  constructor({ stdout, stderr }: ChildProcess) {
    for (const [from, to] of [
      [stdout, process.stdout],
      [stderr, process.stderr],
    ] as const) {
      from?.on('data', (chunk: Buffer) => {
        this.#last = Date.now();
        const pass = (): void => void to.write(chunk);
        if (this.#held === undefined) pass();
        else this.#held.push(pass);
      });
    }
  }

  /** Holds back what comes from now on. */
  hold(): void {
    this.#held = [];
  }

  /** Drops what was held back, and passes on again. */
  discard(): void {
    this.#held = undefined;
  }

  /** Prints what was held back, and passes on again. */
  release(): void {
    for (const pass of this.#held ?? []) pass();
    this.#held = undefined;
  }

  /** Waits until nothing more comes. */
  async silence(): Promise<void> {
    do await setTimeout(SILENCE);
    while (Date.now() - this.#last < SILENCE);
  }
}
