import type { JsonObject } from './json.ts';
import { isJsonObject } from './json.ts';
import type { LeftOutField } from './store-product.ts';

/** How much of a value a reason shows, in UTF-16 units. */
const SHOWN = 60;

/** Says that a value is not what its field needs. @param expected such as `a number` */
export function notA(expected: string, field: string, value: unknown): LeftOutField {
  const json = value === undefined ? 'absent' : JSON.stringify(value);
  const shown = json.length > SHOWN ? `${json.slice(0, SHOWN).toWellFormed()}…` : json;
  return { field, reason: `it is ${shown}, which is not ${expected}` };
}

/** Returns the whole number or the number with parts that a value is, also as text: `5`, `"2"`, `"3.0000"`. */
export function quantityIn(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}

/** Returns the milliseconds since 1970 of a time such as `2026-11-27T21:52:23Z`; NaN if it is none, as `12,5` is. */
export function timeIn(text: string): number {
  return /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : NaN;
}

/**
 * Reads the values of one part of a store, and collects those that are not what their field needs. Null is no value, as what is
 * absent.
 */
export class Values {
  readonly leftOut: LeftOutField[] = [];

  /** Text, also of a number. */
  text(field: string, value: unknown): string | undefined {
    if (typeof value === 'string' || value == null) return value ?? undefined;
    if (typeof value === 'number') return String(value);
    this.leaveOut(notA('a text', field, value));
    return undefined;
  }

  /** Text that everything of its kind has. */
  filledText(field: string, value: unknown): string | undefined {
    const text = this.text(field, value);
    if (text?.trim() !== '') return text;
    this.leaveOut(notA('a text', field, value));
    return undefined;
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
    if (value == null) return undefined;
    const found = typeof value === 'string' ? known.get(value.toLowerCase()) : undefined;
    if (found === undefined) this.leaveOut(notA('one that is known', field, value));
    return found;
  }

  /** A number, also as text. Empty text is none. */
  quantity(field: string, value: unknown): number | undefined {
    if (value == null) return undefined;
    const quantity = quantityIn(value);
    if (quantity === undefined) this.leaveOut(notA('a number', field, value));
    return quantity;
  }

  /** The objects of a list. */
  objects(field: string, value: unknown): JsonObject[] | undefined {
    if (value == null) return undefined;
    if (Array.isArray(value) && value.every(isJsonObject)) return value;
    this.leaveOut(notA('a list of objects', field, value));
    return Array.isArray(value) ? value.filter(isJsonObject) : undefined;
  }

  leaveOut(value: LeftOutField): void {
    this.leftOut.push(value);
  }
}
