import { counted } from './counted.ts';

/** The units of a duration: how it is written, its noun, and its length in seconds. The largest is first. */
const UNITS = [
  ['d', 'day', 86_400],
  ['h', 'hour', 3600],
  ['m', 'minute', 60],
  ['s', 'second', 1],
] as const;

/** Returns a duration such as `90d`, `24h`, `30m` or `0s` in seconds; NaN if it is none. */
export function secondsIn(text: string): number {
  const [, number, letter] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const unit = UNITS.find(([one]) => one === letter);
  return unit === undefined ? NaN : Number(number) * unit[2];
}

/** Returns a duration for a person, rounded down, in the largest unit of which it has two: `27 hours`. */
export function roughly(seconds: number): string {
  const [, noun, unit] = UNITS.find(([, , one]) => seconds >= 2 * one) ?? UNITS[3];
  return counted(Math.floor(seconds / unit), noun);
}
