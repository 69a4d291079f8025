import { counted } from '../counted.ts';
import type { SyncFlags } from './options.ts';
import { Failure } from '../../../stores/failure.ts';

/** The units of an age, in milliseconds, and from how many of it on the next larger one is used. */
const UNITS = [
  ['day', 86_400_000, 2],
  ['hour', 3_600_000, 2],
  ['minute', 60_000, 2],
  ['second', 1000, 0],
] as const;

/** @throws Failure if what was read is older than `--max-age` allows: the export may have stopped */
export function checkAge(readAt: Date, path = '-', { maxAge, readAt: given }: SyncFlags): void {
  if (maxAge === undefined) return;
  const age = Date.now() - readAt.getTime();
  if (age <= maxAge.milliseconds) return;
  const [noun, milliseconds] = UNITS.find(([, unit, from]) => age >= unit * from) ?? UNITS[3];
  const ago = `${counted(Math.floor(age / milliseconds), noun)} ago`;
  const what =
    given === undefined ? `${path} was written ${ago}` : `What --read-at names was ${ago}`;
  throw new Failure(
    `${what}, and --max-age is ${maxAge.text}: the export may have stopped. Nothing was changed.`,
  );
}
