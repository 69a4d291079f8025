import { utcTime } from '../../../common/utc-time.ts';
import { shortened } from '../../../common/terminal/printable.ts';
import type { JsonObject } from './json-values.ts';
import { isJsonObject, isWritten, numberOf, writtenOf } from './json-values.ts';
import type { LeftOutField } from './source.ts';

/** Says that a value is not what its field needs. @param expected such as `a number` */
export function notA(expected: string, field: string, value: unknown): LeftOutField {
  const shown = shortened(value === undefined ? 'absent' : JSON.stringify(value), 60);
  return { field, reason: `it is ${shown}, which is not ${expected}` };
}

/**
 * Reads the values of one part of a store, and collects those that are not what their field needs. Null is no value, as what is
 * absent.
 */
export class Values {
  readonly leftOut: LeftOutField[] = [];

  /** Returns what a value means. @param meaning undefined if it is not what is expected, such as `a number` */
  read<T>(expected: string, field: string, value: unknown, meaning: T | undefined): T | undefined {
    if (value != null && meaning === undefined) this.leaveOut(notA(expected, field, value));
    return meaning;
  }

  text(field: string, value: unknown): string | undefined {
    return this.read('a text', field, value, isWritten(value) ? String(value) : undefined);
  }

  /** Text that everything of its kind has. */
  filledText(field: string, value: unknown): string | undefined {
    const text = writtenOf(value);
    return this.read('a text', field, value, text.trim() === '' ? undefined : text);
  }

  /** The SKU of an object: null if it has none, undefined if it has no such member, or one that cannot be read. */
  sku(object: JsonObject): string | null | undefined {
    if (!('sku' in object)) return undefined;
    const { sku } = object;
    // Empty is none, as null is.
    return sku == null || sku === '' ? null : this.text('sku', sku);
  }

  /** A price as it is written: empty if there is none, undefined if it cannot be read. */
  price(value: unknown): string | undefined {
    return value == null ? '' : this.text('priceCents', value);
  }

  /** One of some words, in any case. @param known by the words in small letters */
  word<Word>(field: string, value: unknown, known: ReadonlyMap<string, Word>): Word | undefined {
    return this.read('one that is known', field, value, known.get(writtenOf(value).toLowerCase()));
  }

  /** A number, also as text. Empty text is none. */
  quantity(field: string, value: unknown): number | undefined {
    return this.read('a number', field, value, numberOf(value));
  }

  /** A time with a zone. @param zone what is added to one that has none */
  time(field: string, value: unknown, zone = ''): string | undefined {
    const text = `${writtenOf(value)}${zone}`;
    return this.read('a time', field, value, utcTime(text) === '' ? undefined : text);
  }

  objects(field: string, value: unknown): JsonObject[] | undefined {
    if (value == null) return undefined;
    if (Array.isArray(value) && value.every(isJsonObject)) return value;
    this.leaveOut(notA('a list of objects', field, value));
    return Array.isArray(value) ? value.filter(isJsonObject) : undefined;
  }

  leaveOut(...all: readonly (LeftOutField | undefined)[]): void {
    this.leftOut.push(...all.filter((one) => one !== undefined));
  }
}
