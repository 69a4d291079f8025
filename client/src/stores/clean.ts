import { decodeHTMLStrict } from 'entities/decode';
import { htmlTagNames } from 'html-tag-names';
import { counted } from '../../../common/counted.ts';
import { composed } from '../stored.ts';

/** A character that the service refuses in every text. One-line texts have no tabs and line ends either. */
const CONTROL = /[^\P{Cc}\t\n\r]+/gu;

const TAGS: ReadonlySet<string> = new Set(htmlTagNames);

/** Removes what the service does not take from texts, and counts the control characters among it. */
export class Cleaner {
  removed = 0;

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

/** Returns a sentence about the control characters that were removed, if there were any. */
export function removedNote(count: number): string[] {
  return count === 0
    ? []
    : [`${counted(count, 'control character was', 'control characters were')} removed.`];
}
