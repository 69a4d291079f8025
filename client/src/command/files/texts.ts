/** A character that the service refuses in every text. One-line texts have no tabs and line ends either. */
const CONTROL = /[^\P{Cc}\t\n\r]/gu;

/**
 * The longest line that is normalized, in UTF-16 units. The service refuses longer ones, and `normalize` takes quadratic time for
 * long runs of combining marks.
 */
const LONGEST_LINE = 20_000;

/** Cleans the texts of a file, and counts the control characters that it removes. */
export class Texts {
  #removed = 0;
  #hasRowInCell = false;

  /**
   * Whether a cell of one line has a line end, and delimiters behind it. They may be further rows: a quotation mark too many
   * joins rows in one cell.
   */
  get hasRowInCell(): boolean {
    return this.#hasRowInCell;
  }

  /** A sentence about what was removed, if anything was. */
  get notes(): readonly string[] {
    const count = this.#removed;
    if (count === 0) return [];
    return [
      count === 1
        ? '1 control character was removed.'
        : `${count} control characters were removed.`,
    ];
  }

  /** Text of several lines, trimmed. */
  text(cell: string): string {
    const clean = cell.replace(CONTROL, () => {
      this.#removed++;
      return '';
    });
    return withoutApostrophe(clean.trim());
  }

  /** One line of text: as the service stores it, so that equal values match. */
  line(cell: string): string {
    const text = this.text(cell);
    const at = text.search(/[\r\n]/);
    this.#hasRowInCell ||= at >= 0 && /[,;\t]/.test(text.slice(at));
    const line = text.replace(/[\t\r\n]+/g, ' ');
    return line.length > LONGEST_LINE ? line : line.normalize('NFC');
  }
}

/**
 * Removes the apostrophe that platforms, and the CSV of this command, write before what a spreadsheet would take for a
 * formula. An apostrophe that was there before has another one before it.
 */
function withoutApostrophe(cell: string): string {
  return /^'+[=+\-@]/.test(cell) ? cell.slice(1) : cell;
}

/** The reverse of what is removed when a cell is read. */
export function withApostrophe(text: string): string {
  return /^'*[=+\-@]/.test(text) ? `'${text}` : text;
}
