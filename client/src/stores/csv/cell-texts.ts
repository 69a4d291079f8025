/** Whether a cell has a line end within its text. */
export function hasLineEnd(cell: string): boolean {
  return /[\r\n]/.test(cell.trim());
}

/**
 * Whether a cell of one line has a line end, and delimiters behind it. They may be further rows: a quotation mark too many joins
 * rows in one cell.
 */
export function hasRowInCell(cell: string): boolean {
  const text = cell.trim();
  const at = text.search(/[\r\n]/);
  return at >= 0 && /[,;\t]/.test(text.slice(at));
}

/** Returns the text of a clean cell, also of a formula such as `="00123"`, which programs write so that a spreadsheet keeps the zeros. */
export function cellText(cell: string): string {
  const [, text] = /^="(.*)"$/s.exec(cell) ?? [];
  return text === undefined ? withoutApostrophe(cell) : text.replaceAll('""', '"').trim();
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
