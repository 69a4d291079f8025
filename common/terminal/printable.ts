// Control characters move the cursor, change the title of the window, or hide what was printed before. Those that set
// the direction of text, and the separators of lines, show a line as another one.
const UNPRINTABLE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** The maximum length of a text that is shown, in UTF-16 units. */
const LONGEST = 2000;

/**
 * Returns a text for one line of a terminal. What is shown may come from anybody: from a brand, a file or a server. So
 * characters that would act on the terminal are shown as their numbers, such as `\u{1b}`, and a long text is cut.
 */
export function printable(text: string): string {
  return withoutControls(shortened(text, LONGEST));
}

/** Returns the beginning of a text. @param longest in UTF-16 units */
export function shortened(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text;
}

/** The same for a text of any length. */
export function withoutControls(text: string): string {
  return text.replace(
    UNPRINTABLE,
    (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
  );
}

/**
 * Returns a value as JSON. What would act on a terminal is escaped, so the value stays exact.
 * @param shown returns what is shown of a text in it
 * @param indentation the number of spaces; by default it is one line
 */
export function printableJson(
  value: unknown,
  shown?: (text: string) => string,
  indentation?: number,
): string {
  const replacer =
    shown && ((_: string, one: unknown) => (typeof one === 'string' ? shown(one) : one));
  return JSON.stringify(value, replacer, indentation).replace(UNPRINTABLE, (character) =>
    // The line ends between members stay. Those in texts are escaped already.
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The same for a text of several lines. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** Returns a text with every API key in it cut short. A server may send back the key that it got. */
export function withoutKeys(text: string): string {
  return text.replaceAll(/bik_[0-9A-Za-z]{8,}/g, 'bik_…');
}

/** For commander: its errors repeat arguments, which may be a key or act on the terminal. */
export const harmlessErrors = {
  outputError(text: string, write: (text: string) => void): void {
    write(printableLines(withoutKeys(text)));
  },
};
