import type { SyncChange } from '../../../index.ts';
import { firstLines } from './first-lines.ts';
import { named } from './outcome.ts';

/** The longest value that is printed whole, in UTF-16 units. */
const LONGEST_VALUE = 120;

/** How much of what two values share is printed before their difference. */
const SHARED = 20;

const ACTIONS = ['create', 'update', 'delete', 'withhold'] as const;

/** Returns the changes of a dry run as lines, by kind. */
export function changeLines(changes: readonly SyncChange[], isVerbose: boolean): string[] {
  return ACTIONS.flatMap((action) => {
    const all = changes.filter((change) => change.action === action);
    return firstLines(action, all, isVerbose, linesOfChange);
  });
}

function linesOfChange({ action, key, title, fields }: SyncChange): string[] {
  const line = `${action}: ${named(key)}${title === key ? '' : title}`.replace(/: $/, '');
  if (action !== 'update' || fields === undefined) return [line];
  return [
    line,
    ...Object.entries(fields).map(
      ([name, [before, after]]) => `  ${name}: ${difference(before, after).join(' → ')}`,
    ),
  ];
}

/** Returns two values as texts. Of long ones it is where they differ. */
function difference(before: unknown, after: unknown): readonly [string, string] {
  const texts = [before, after].map((value) => JSON.stringify(value ?? null));
  const [one = '', other = ''] = texts;
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  const start =
    Math.max(one.length, other.length) <= LONGEST_VALUE ? 0 : Math.max(0, same - SHARED);
  return [part(one, start), part(other, start)];
}

function part(text: string, start: number): string {
  const shown = text.slice(start, start + LONGEST_VALUE).toWellFormed();
  return `${start > 0 ? '…' : ''}${shown}${start + LONGEST_VALUE < text.length ? '…' : ''}`;
}
