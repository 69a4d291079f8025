import { readFile } from 'node:fs/promises';
import { formatted } from './formatted.ts';

/**
 * Returns a Markdown file with other contents of some parts, formatted as the file is. A part is between the markers
 * `<!-- part -->` and `<!-- /part -->`.
 * @param parts the contents by part
 * @throws Error if the file does not have the two markers of a part
 */
export async function withMarkedParts(
  file: string,
  parts: Readonly<Record<string, string>>,
): Promise<string> {
  let text = await readFile(file, 'utf8');
  for (const [part, content] of Object.entries(parts)) {
    const [begin, end] = [`<!-- ${part} -->`, `<!-- /${part} -->`];
    const [head, rest] = text.split(begin);
    const tail = rest?.split(end)[1];
    if (head === undefined || tail === undefined) throw new Error(`${file} has no ${begin}.`);
    text = [head, begin, '\n\n', content, '\n\n', end, tail].join('');
  }
  return formatted(file, text);
}
