import { InvalidArgumentError } from 'commander';
import { CURRENCIES } from '../../../common/currencies.ts';
import { secondsIn } from '../../../common/duration.ts';
import { utcTime } from '../../../common/utc-time.ts';

// The values of options. Each function is for commander, and throws InvalidArgumentError if a text is not such a value.

export function currencyCode(text: string): string {
  if (CURRENCIES.has(text)) return text;
  throw new InvalidArgumentError('Expected a currency code such as EUR.');
}

export function maximum(text: string): number | `${number}%` {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const share = Number(/^(\d{1,3}(?:\.\d+)?)%$/.exec(text)?.[1]);
  if (share >= 0 && share <= 100) return `${share}%`;
  throw new InvalidArgumentError('Expected a number such as 25, or a share such as 10%.');
}

export function pastTime(text: string): Date {
  const time = new Date(utcTime(text));
  if (time <= new Date()) return time;
  throw new InvalidArgumentError('Expected a time in the past such as 2026-01-31T09:30:00Z.');
}

/** Parses an age such as `26h`, of which the report repeats the text. */
export function maxAge(text: string): { readonly seconds: number; readonly text: string } {
  const age = { seconds: secondsIn(text), text };
  if (age.seconds > 0) return age;
  throw new InvalidArgumentError('Expected an age such as 26h, with s, m, h or d.');
}

/** Parses names of fields with commas between them. The option may be given several times. */
export function fieldNames(text: string, before: readonly string[] = []): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.every((name) => /^\w+$/.test(name))) return [...before, ...names];
  throw new InvalidArgumentError('Expected names of fields such as title,description.');
}

export function seconds(text: string): number {
  const value = Number(/^\d{1,6}(?:\.\d+)?$/.exec(text)?.[0]);
  if (value > 0) return value;
  throw new InvalidArgumentError('Expected a number of seconds such as 60.');
}

/** The values of each field. Several of one mean any of them. */
export type FieldValues = ReadonlyMap<string, readonly string[]>;

export function fieldValues(text: string, before: FieldValues = new Map()): FieldValues {
  const [, field, value] = /^(\w+)=(.+)$/s.exec(text) ?? [];
  if (field !== undefined && value !== undefined) {
    return new Map([...before, [field, [...(before.get(field) ?? []), value]]]);
  }
  throw new InvalidArgumentError('Write FIELD=VALUE, such as sku=ROPE-10.');
}
