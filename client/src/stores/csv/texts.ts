/** Reads the cells of a CSV file as text. What the service does not take is still in it. */
export class Texts {
  #hasRowInCell = false;

  /**
   * Whether a cell of one line has a line end, and delimiters behind it. They may be further rows: a quotation mark too many
   * joins rows in one cell.
   */
  get hasRowInCell(): boolean {
    return this.#hasRowInCell;
  }

  /** Text of several lines, trimmed. */
  text(cell: string): string {
    return withoutApostrophe(cell.trim());
  }

  /** One line of text. */
  line(cell: string): string {
    const text = cell.trim();
    const at = text.search(/[\r\n]/);
    this.#hasRowInCell ||= at >= 0 && /[,;\t]/.test(text.slice(at));
    return withoutApostrophe(text.replace(/[\t\r\n]+/g, ' '));
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
