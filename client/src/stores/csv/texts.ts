import { Cleaner } from '../clean.ts';

/** Cleans the cells of a CSV file, and counts the control characters that it removes. */
export class Texts {
  readonly #cleaner = new Cleaner();
  #hasRowInCell = false;

  /**
   * Whether a cell of one line has a line end, and delimiters behind it. They may be further rows: a quotation mark too many
   * joins rows in one cell.
   */
  get hasRowInCell(): boolean {
    return this.#hasRowInCell;
  }

  /** How many control characters were removed. */
  get removed(): number {
    return this.#cleaner.removed;
  }

  /** Text of several lines, trimmed. */
  text(cell: string): string {
    return withoutApostrophe(this.#cleaner.text(cell));
  }

  /** One line of text: as the service stores it, so that equal values match. */
  line(cell: string): string {
    const at = cell.trim().search(/[\r\n]/);
    this.#hasRowInCell ||= at >= 0 && /[,;\t]/.test(cell.trim().slice(at));
    return withoutApostrophe(this.#cleaner.line(cell));
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
