import { SingleBar } from 'cli-progress';

/** A bar that counts what is done, on a terminal. Elsewhere nothing is shown. */
export class ProgressBar {
  readonly #bar: SingleBar;

  /** @param what is counted, such as `products` */
  constructor(what: string, stream: NodeJS.WritableStream = process.stderr) {
    this.#bar = progressBar(what, stream);
  }

  /** Shows how many are done, now and after it was stopped. */
  show(done: number, total: number): void {
    if (!this.#bar.isActive) this.#bar.start(total, done);
    this.#bar.setTotal(total);
    this.#bar.update(done);
  }

  stop(): void {
    this.#bar.stop();
  }
}

export function progressBar(
  what: string,
  stream: NodeJS.WritableStream = process.stderr,
): SingleBar {
  return new SingleBar({
    format: `{bar} {value} of {total} ${what}`,
    stream,
    noTTYOutput: false,
  });
}
