/** The length of the bar itself, in characters. */
const WIDTH = 40;

/** The pause between two pictures, in milliseconds. */
const PAUSE = 100;

/** A bar that counts what is done, on a terminal. Elsewhere nothing is shown. */
export class ProgressBar {
  readonly #what: string;
  readonly #stream: NodeJS.WritableStream;
  /** What is to be seen; empty while it is stopped. */
  #line = '';
  #drawnAt = 0;

  /** @param what is counted, such as `products` */
  constructor(what: string, stream: NodeJS.WritableStream = process.stderr) {
    [this.#what, this.#stream] = [what, stream];
  }

  /** Shows how many are done, now and after it was stopped. */
  show(done: number, total: number): void {
    if (Reflect.get(this.#stream, 'isTTY') !== true) return;
    const filled = Math.round((WIDTH * Math.min(done, total)) / Math.max(total, 1));
    const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
    this.#line = `${bar} ${done} of ${total} ${this.#what}`;
    if (Date.now() - this.#drawnAt >= PAUSE) this.#draw();
  }

  /** Leaves the last picture, and ends its line. */
  stop(): void {
    if (this.#line === '') return;
    this.#draw();
    this.#stream.write('\n');
    [this.#line, this.#drawnAt] = ['', 0];
  }

  #draw(): void {
    const columns: unknown = Reflect.get(this.#stream, 'columns');
    // A longer one would begin a second line, which the next picture does not replace.
    const most = typeof columns === 'number' && columns > 1 ? columns - 1 : undefined;
    this.#stream.write(`\r${this.#line.slice(0, most)}\u001b[K`);
    this.#drawnAt = Date.now();
  }
}
