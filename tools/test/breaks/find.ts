import { existsSync, globSync, readFileSync } from 'node:fs';
import type { Break } from './breaks.ts';

/** A place in a file, as offsets of its text. */
interface Place {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** Returns the one place of a break's code, or why there is none. */
export function placeOf({ code, where, test }: Break): Place | { readonly reason: string } {
  if (!existsSync(`${test}.test.ts`)) return { reason: `There is no ${test}.test.ts.` };
  const [folder = ''] = test.split('/');
  const searched = where ?? (folder === 'test' ? 'src' : `${folder}/src`);
  const [place, ...others] = placesOf(code, searched);
  if (place === undefined) return { reason: `${searched} has no such code: ${code}` };
  if (others.length === 0) return place;
  return { reason: `${searched} has this code ${others.length + 1} times: ${code}` };
}

/** Returns all places of code in a file, or in the files of a folder. */
function placesOf(code: string, where: string): readonly Place[] {
  const [first = '', ...rest] = code.split('…');
  const parts = rest.map((part) => inAnyLayout(part, 'y'));
  const files = /\.\w+$/.test(where) ? [where] : globSync(`${where}/**/*.{ts,js}`);
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return Array.from(text.matchAll(inAnyLayout(first, 'g'))).flatMap(({ index, 0: found }) => {
      let end: number | undefined = index + found.length;
      for (const part of parts) end = end === undefined ? undefined : endOf(part, text, end);
      return end === undefined ? [] : { file, start: index, end };
    });
  });
}

/** Matches code in any layout: white space, and a comma before a closing bracket, may differ. */
function inAnyLayout(code: string, flag: 'g' | 'y'): RegExp {
  const tokens = code.match(/\w+|[^\w\s]/g) ?? [];
  const source = tokens.map((token, index) => {
    const areWords = /\w$/.test(tokens[index - 1] ?? '') && /^\w/.test(token);
    const space = index === 0 ? '' : areWords ? String.raw`\s+` : String.raw`\s*`;
    const comma = /[)\]}]/.test(token) ? String.raw`(?:,\s*)?` : '';
    return space + comma + token.replace(/\W/, String.raw`\$&`);
  });
  return new RegExp(source.join(''), flag);
}

/** Returns where a part of code ends that begins at an offset, or later with whole brackets before it. */
function endOf(part: RegExp, text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at <= text.length && depth >= 0; at++) {
    part.lastIndex = at;
    if (depth === 0 && part.test(text)) return part.lastIndex;
    const character = text.charAt(at);
    if ('([{'.includes(character)) depth++;
    if (')]}'.includes(character)) depth--;
  }
  return undefined;
}
