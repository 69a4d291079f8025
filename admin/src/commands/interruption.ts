import { exitCodeOfSignal, onInterruption } from '../../../common/terminal/interruption.ts';
import { note } from '../../../common/terminal/note.ts';
import { stopWranglers } from '../../../common/wrangler/wrangler.ts';

const UNSURE =
  'See with the list commands whether the change was made: a new key that you have not seen should be revoked, and an old one may expire.';

/** Lets an interruption of a command say what it leaves open: a key that was made, but not shown, or an old one that expires. */
export class InterruptionNotice {
  #explain = (): string => UNSURE;
  #forget: (() => void) | undefined;

  begin(): void {
    this.#forget ??= onInterruption((signal) => {
      note(`Stopped. ${this.#explain()}`);
      void stopWranglers().then(() => process.exit(exitCodeOfSignal(signal)));
    });
  }

  /**
   * Lets an interruption say something else from now on.
   * @param explanation returns it, and ends what the command shows
   */
  explainBy(explanation: () => string): void {
    this.#explain = explanation;
    this.begin();
  }

  /** Ends that, when the command is done. */
  end(): void {
    this.#forget?.();
  }
}
