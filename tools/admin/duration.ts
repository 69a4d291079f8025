import { InvalidArgumentError } from 'commander';

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Ten years: a longer duration is probably a mistake. */
const LONGEST = 3650 * 86_400;

/**
 * Parses a duration such as `90d`, `24h`, `30m` or `0s`.
 * @returns whole seconds
 * @throws InvalidArgumentError
 */
export function parseDuration(text: string): number {
  const [, number, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const seconds = Number(number) * (SECONDS[unit] ?? NaN);
  if (!(seconds <= LONGEST)) {
    throw new InvalidArgumentError('Write a time such as 90d, 24h, 30m or 0s, 3650d at most.');
  }
  return seconds;
}

/**
 * Parses a number of days that Cloudflare keeps the log.
 * @throws InvalidArgumentError
 */
export function parseDays(text: string): number {
  if (!/^[1-7]$/.test(text)) throw new InvalidArgumentError('Write a number from 1 to 7.');
  return Number(text);
}
