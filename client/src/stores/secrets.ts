import { withoutKeys } from '../../../common/terminal/printable.ts';

/** The shortest part of a secret that is hidden, in UTF-16 units. Shorter ones occur in words. */
const PART = 8;

/** The shortest part that is hidden where a text was cut: with the rest of it, it would have been hidden. */
const CUT_PART = 4;

/** What is shown in place of a secret, and where a text was cut. */
const ELLIPSIS = '…';

/** A part of a text: from one place to before another one. */
type Range = readonly [from: number, to: number];

/**
 * What nobody may see: keys, tokens, and what is made of them. All that a person reads passes through here. Who sends a secret back
 * may have cut it, so its parts are hidden, too.
 */
export class Secrets {
  readonly #forms = new Set<string>();
  readonly #parts = new Set<string>();
  readonly #beginnings = new Set<string>();
  readonly #ends = new Set<string>();
  /** The hashes of the parts. They spare a new text at each place that is looked at. */
  readonly #hashes = new Set<number>();

  constructor(...secrets: readonly string[]) {
    this.add(...secrets);
  }

  /** Adds secrets, as they are and as they are written in an address. */
  add(...secrets: readonly string[]): void {
    for (const form of secrets.flatMap((one) => [one, encodeURIComponent(one.toWellFormed())])) {
      if (form.length < PART) continue;
      this.#forms.add(form);
      for (let length = CUT_PART; length < PART; length++) {
        this.#beginnings.add(form.slice(0, length));
        this.#ends.add(form.slice(-length));
      }
      for (let at = 0; at + PART <= form.length; at++) {
        const part = form.slice(at, at + PART);
        this.#parts.add(part);
        this.#hashes.add(hashOf(part));
      }
    }
  }

  /** Returns these secrets and others. */
  and(...others: readonly string[]): Secrets {
    return new Secrets(...this.#forms, ...others);
  }

  /** Returns a text without secrets, and without API keys. Its time is linear. */
  hide(text: string): string {
    let shown = '';
    let at = 0;
    for (const [from, to] of this.#rangesIn(text)) {
      if (from >= at) shown += text.slice(at, from) + ELLIPSIS;
      at = Math.max(at, to);
    }
    return withoutKeys(shown + text.slice(at));
  }

  /** Yields where secrets and parts of them are. */
  *#rangesIn(text: string): Generator<Range, void> {
    let hash = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      hash = nextHash(hash, code);
      const part: Range = [at + 1 - PART, at + 1];
      if (this.#hashes.has(hash) && this.#parts.has(text.slice(...part))) yield part;
      if (code === ELLIPSIS.charCodeAt(0)) yield* this.#rangesAtCut(text, at);
    }
  }

  /** Yields where the beginning of a secret is before a place at which a text was cut, or the end of one behind it. */
  *#rangesAtCut(text: string, at: number): Generator<Range, void> {
    for (let length = CUT_PART; length < PART; length++) {
      const before: Range = [at - length, at];
      const behind: Range = [at + 1, at + 1 + length];
      if (this.#beginnings.has(text.slice(...before))) yield before;
      if (this.#ends.has(text.slice(...behind))) yield behind;
    }
  }
}

/** Returns the hash of a text: of a long one, that of its last eight UTF-16 units, because older ones are shifted out. */
function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = nextHash(hash, text.charCodeAt(at));
  return hash;
}

function nextHash(hash: number, code: number): number {
  return (hash << (32 / PART)) ^ code;
}
