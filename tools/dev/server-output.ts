import type { ChildProcess } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';

/** How long the server must be silent before its output counts as complete, in milliseconds. */
const SILENCE = 300;

/** What wrangler prints when it is ready, unless a log level hides it. */
const READY = 'Ready on ';

/** How long to wait for that, in milliseconds. On a busy machine it comes seconds after wrangler's own message. */
const PATIENCE = 30_000;

/** The server's output: passed on immediately, or held back for a while. */
export class ServerOutput {
  #last = 0;
  #held: (() => void)[] | undefined;
  readonly #isReady: Promise<void>;

  constructor({ stdout, stderr }: ChildProcess) {
    let isReady = (): void => undefined;
    this.#isReady = new Promise((resolve) => {
      isReady = resolve;
    });
    for (const [from, to] of [
      [stdout, process.stdout],
      [stderr, process.stderr],
    ] as const) {
      from?.on('data', (chunk: Buffer) => {
        this.#last = Date.now();
        if (chunk.includes(READY)) isReady();
        const pass = (): void => void to.write(chunk);
        if (this.#held === undefined) pass();
        else this.#held.push(pass);
      });
    }
  }

  /** Holds back further output. */
  hold(): void {
    this.#held = [];
  }

  /** Discards the held output, and passes on further output. */
  discard(): void {
    this.#held = undefined;
  }

  /** Prints the held output, and passes on further output. */
  release(): void {
    for (const pass of this.#held ?? []) pass();
    this.#held = undefined;
  }

  /**
   * Waits until the server has printed that it is ready, which comes after all else, and is silent.
   * @param isHidden whether a log level may hide that it is ready
   */
  async untilReady(isHidden: boolean): Promise<void> {
    if (!isHidden) {
      await Promise.race([this.#isReady, setTimeout(PATIENCE, undefined, { ref: false })]);
    }
    await this.silence();
  }

  /** Waits until the server is silent. */
  async silence(): Promise<void> {
    do await setTimeout(SILENCE);
    while (Date.now() - this.#last < SILENCE);
  }
}
