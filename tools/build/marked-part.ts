import { readFile } from 'node:fs/promises';
import { formatted } from './formatted.ts';

/**
 * Returns a Markdown file with other content between the markers `<!-- part -->` and `<!-- /part -->`, formatted as the
 * file is.
 * @throws Error if the file does not have the two markers
 */
export async function withMarkedPart(file: string, part: string, content: string): Promise<string> {
  const text = await readFile(file, 'utf8');
  const [begin, end] = [`<!-- ${part} -->`, `<!-- /${part} -->`];
  const [head, rest] = text.split(begin);
  const tail = rest?.split(end)[1];
  if (head === undefined || tail === undefined) throw new Error(`${file} has no ${begin}.`);
  return formatted(file, [head, begin, '\n\n', content, '\n\n', end, tail].join(''));
}
