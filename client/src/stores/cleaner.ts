import { decodeHTMLStrict } from 'entities/decode';
import { htmlTagNames } from 'html-tag-names';
import { counted } from '../../../common/counted.ts';
import { composed } from '../stored-text.ts';

/** A character that the service refuses in every text. One-line texts have no tabs and line ends either. */
const CONTROL = /[^\P{Cc}\t\n\r]+/gu;

/** What is neither white space nor a character of format such as U+200B. */
const VISIBLE = /[^\p{Cf}\s]/u;

const TAGS: ReadonlySet<string> = new Set(htmlTagNames);

/** Removes what the service does not take from texts, and counts the control characters among it. */
export class Cleaner {
  removed = 0;
  #trimmed = 0;
  #lowered = 0;

  /** Text of several lines, trimmed. */
  text(value: string): string {
    const clean = value.replace(CONTROL, (run) => {
      this.removed += run.length;
      return '';
    });
    return clean.trim();
  }

  /** One line of text: as the service stores it, so that equal values match. */
  line(value: string): string {
    return composed(this.text(value).replace(/[\t\r\n]+/g, ' '));
  }

  /** An SKU or a code: one line, without characters at its ends that nobody sees, such as U+200B. */
  key(value: string): string {
    const line = this.line(value);
    const start = Math.max(0, line.search(VISIBLE));
    let end = line.length;
    while (end > start && !VISIBLE.test(line.charAt(end - 1))) end--;
    const key = line.slice(start, end);
    if (key !== line) this.#trimmed++;
    return key;
  }

  /** A handle, which is in lower case. */
  handle(value: string): string {
    const line = this.line(value);
    const handle = composed(line.toLowerCase());
    if (handle !== line) this.#lowered++;
    return handle;
  }

  /** Returns a sentence about each kind of change. */
  notes(): string[] {
    return [
      ...noteOf(this.removed, 'control character was', 'control characters were', 'removed'),
      ...noteOf(
        this.#trimmed,
        'SKU or code had',
        'SKUs or codes had',
        'invisible characters at an end, which were removed',
      ),
      ...noteOf(this.#lowered, 'handle was', 'handles were', 'written in lower case'),
    ];
  }

  /**
   * One line of HTML without markup: `A &amp; <i>B</i>` is `A & B`. Entities are read once, so `&amp;lt;` is `&lt;`, and
   * `<USB-C>` is no tag.
   */
  withoutMarkup(value: string): string {
    const text = value.replace(/<\/?([a-z][^<>]*)>/gi, (written, tag: string) => {
      const [name = ''] = /^[a-z0-9-]+/i.exec(tag) ?? [];
      return TAGS.has(name.toLowerCase()) ? '' : written;
    });
    return this.line(decodeHTMLStrict(text));
  }
}

function noteOf(count: number, one: string, many: string, what: string): string[] {
  return count === 0 ? [] : [`${counted(count, one, many)} ${what}.`];
}
