import { jsonIn } from '../../transport.ts';

/**
 * Returns the documents of a text that has several JSON lists or objects one after the other, with or without line ends between
 * them, as pages of an answer that were written to one file.
 * @returns undefined if the text is anything else
 */
export function documentsIn(text: string): unknown[] | undefined {
  const documents: unknown[] = [];
  let [depth, start, isInString] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isInString) {
      if (character === '\\') at++;
      else if (character === '"') isInString = false;
    } else if (character === '"') {
      isInString = true;
    } else if (character === '[' || character === '{') {
      // A message between two pages is the place of a page that failed.
      if (depth++ === 0 && text.slice(start, at).trim() !== '') return undefined;
      if (depth === 1) start = at;
    } else if ((character === ']' || character === '}') && --depth === 0) {
      const document = jsonIn(text.slice(start, at + 1));
      if (document === undefined) return undefined;
      documents.push(document);
      start = at + 1;
    }
  }
  return text.slice(start).trim() === '' ? documents : undefined;
}
