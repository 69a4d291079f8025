import type * as fc from 'fast-check';
import type { Fuzzed } from './fields/fuzzed.ts';
import { clean } from './fields/fuzzed.ts';
import type { FieldRows } from './fields/row.ts';

// The fields that the fuzzer sends, as the model of the service has them.

export type Fields = Readonly<Record<string, unknown>>;

/** A field that the fuzzer sends. Without a default and `derive`, POST and PUT need it. */
export interface ModelField extends Fuzzed {
  /** What it becomes if a POST leaves it out. */
  readonly default?: unknown;
  /** The same, if that depends on other fields. */
  readonly derive?: Derive;
  readonly mayBeNull: boolean;
}

/** Returns what a field becomes if a POST leaves it out, from the other fields and the id. */
export type Derive = (fields: Fields, id: string) => unknown;

export type ModelFields = Readonly<Record<string, ModelField>>;

/** The time of a write, which the first answer that shows it tells the model. All later ones must show the same. */
export class TimeOfWrite {
  readonly #earliest = START;
  #shown: unknown;

  isShownAs(value: unknown): boolean {
    const isTime = typeof value === 'string' && Date.parse(value) >= this.#earliest;
    this.#shown ??= isTime ? value : undefined;
    return isTime && value === this.#shown;
  }
}

/** No time that the fuzzer sends is as late. */
const START = Date.now();

/** Whether an answer shows a field as the model has it. */
export function isShownAs(known: unknown, shown: unknown): boolean {
  if (known instanceof TimeOfWrite) return known.isShownAs(shown);
  return JSON.stringify(known) === JSON.stringify(shown);
}

/**
 * The fields of a collection, from what the tests know of each.
 * @param derive what fields become that a POST leaves out, if that depends on others
 * @param drawn what is drawn of a field in place of the values of its kind
 */
export function modelOf(
  rows: FieldRows,
  derive: Readonly<Record<string, Derive>>,
  drawn: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): ModelFields {
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => {
      const { accepted, fuzzed } = row;
      if (fuzzed === undefined) throw new Error(`The kind of the field ${name} needs \`fuzzed\`.`);
      const field: ModelField = {
        ...fuzzed,
        drawn: drawn[name] ?? fuzzed.drawn,
        mayBeNull: accepted.some(({ sent }) => sent === null),
        ...(derive[name] === undefined ? { default: row.default } : { derive: derive[name] }),
      };
      return [name, field];
    }),
  );
}

const READ_ONLY = new Set(['id', 'createdAt', 'updatedAt']);

/** A value whose texts are as they are stored. */
function cleanTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleanTexts);
  return typeof value === 'string' ? clean(value) : value;
}

/** A text as unique values are compared: whatever the case of A to Z, and of nothing else. */
export function folded(value: string): string {
  return value.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** The defaults that do not depend on other fields. */
function defaultsOf(model: ModelFields): Record<string, unknown> {
  const fields = Object.entries(model).filter(([, field]) => field.default !== undefined);
  return Object.fromEntries(fields.map(([name, field]) => [name, field.default]));
}

/** The names of the fields that POST and PUT need. */
export function requiredOf(model: ModelFields): string[] {
  return Object.keys(model).filter(
    (name) => model[name]?.default === undefined && model[name]?.derive === undefined,
  );
}

/** The fields of a body as they are to be stored; undefined if one of them breaks a rule. */
export function read(model: ModelFields, body: unknown, isPatch: boolean): Fields | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const fields: Record<string, unknown> = isPatch ? {} : defaultsOf(model);
  for (const [name, value] of Object.entries(body)) {
    if (READ_ONLY.has(name)) continue;
    const field = Object.hasOwn(model, name) ? model[name] : undefined;
    if (field === undefined) return undefined;
    if (value === null ? !field.mayBeNull : !field.isGood(value)) return undefined;
    fields[name] = value === null ? null : (field.stored ?? cleanTexts)(value);
  }
  const isMissing = requiredOf(model).some((name) => !Object.hasOwn(fields, name));
  return isMissing && !isPatch ? undefined : fields;
}

/**
 * The fields of a new resource with the defaults that follow from others. Which they are, other tests say; the
 * model has to know whether they change.
 */
export function withDerived(model: ModelFields, fields: Fields, id: string): Fields {
  const derived = Object.entries(model).flatMap(([name, { derive }]) =>
    derive === undefined ? [] : [[name, derive(fields, id)] as const],
  );
  return { ...Object.fromEntries(derived), ...fields };
}
