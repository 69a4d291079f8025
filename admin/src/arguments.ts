import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { MAX_DATABASE } from '../../src/operator.ts';
import { secondsIn } from '../../common/duration.ts';
import { utcTime } from '../../common/utc-time.ts';
import { ROOT } from '../../common/wrangler/wrangler.ts';

// Parsers of options, which commander calls. Each throws InvalidArgumentError, with what to write instead.

/** The beginning of the year 0, in milliseconds. */
const EARLIEST = Date.parse('0000-01-01T00:00:00Z');

/** Ten years: a longer duration is probably a mistake. */
const LONGEST = 3650 * 86_400;

/** Parses a duration such as `90d`, `24h`, `30m` or `0s`, in whole seconds. */
export function parseDuration(text: string): number {
  const seconds = secondsIn(text);
  if (seconds <= LONGEST) return seconds;
  throw new InvalidArgumentError('Write a time such as 90d, 24h, 30m or 0s, 3650d at most.');
}

/** Parses the lifetime of a key, in whole seconds. */
export function parseLifetime(text: string): number {
  const seconds = parseDuration(text);
  if (seconds > 0) return seconds;
  throw new InvalidArgumentError('This key would have expired. Write a time such as 90d or 24h.');
}

/** Parses the number of items of a page. */
export function parseLimit(text: string): number {
  return parseNumber(text, 1, 1000);
}

export function parseDatabase(text: string): number {
  return parseNumber(text, 0, MAX_DATABASE);
}

function parseNumber(text: string, least: number, most: number): number {
  const number = Number(text);
  if (/^\d{1,4}$/.test(text) && number >= least && number <= most) return number;
  throw new InvalidArgumentError(`Write a number from ${least} to ${most}.`);
}

/** Parses a date, a time with an offset, or how long ago it was, such as `7d`, into a time as it is stored. */
export function parseTime(text: string): string {
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text);
  const given = Date.parse(utcTime(isDate ? `${text}T00:00:00Z` : text));
  const time = Number.isNaN(given) ? Date.now() - secondsIn(text) * 1000 : given;
  // Earlier times than that have no text that sorts.
  if (!(time >= EARLIEST)) {
    throw new InvalidArgumentError(
      'Write a date such as 2026-11-01, a time such as 2026-11-01T09:30:00Z, or how long ago, such as 7d.',
    );
  }
  return new Date(time).toISOString();
}

/** Parses the beginning of an API key, or a whole one, into at most the 12 characters that are stored. */
export function parsePrefix(text: string): string {
  if (!/^bik_[0-9A-Za-z]*$/.test(text)) {
    throw new InvalidArgumentError('Write the first characters of a key, such as bik_abcdefgh.');
  }
  return text.slice(0, 12);
}

/** Parses the first digits of a key's SHA-256, as the log has them, or more of them. */
export function parseHash(text: string): string {
  if (/^[0-9a-f]{16,64}$/.test(text)) return text;
  throw new InvalidArgumentError('Write the keyHash of a log line, such as 0123456789abcdef.');
}

/**
 * Parses the folder of the local database. An empty one, such as from an unset variable, would be the default one. In one
 * that is not there, wrangler would create an empty database.
 */
export function parseFolder(text: string): string {
  if (text === '') throw new InvalidArgumentError('Write the path of a folder.');
  if (!existsSync(resolve(ROOT, text))) throw new InvalidArgumentError('There is no such folder.');
  return text;
}
