import fc from 'fast-check';
import { expect } from 'vitest';
import { record, records } from '../../../test/node/processes.ts';
import type { JsonObject } from '../../src/stores/json-values.ts';
import { random } from '../../../test/support/random.ts';

// An odd value anywhere in a store changes nothing else, is reported, and a second night writes nothing. What is reported as left
// out stays as somebody edited it in the service, and whatever stays so is reported.

export const PHOTO = 'https://hallenladen.example/a.jpg';

/** A value in place of another one. */
export interface Oddity {
  /** The number of what has it. */
  readonly part: number;
  /** A path, such as `discount.title`. */
  readonly member: string;
  readonly value: unknown;
}

/** A store that may have an odd value, and a brand. */
export interface OddStore {
  /** @param count a number that changes from night to night */
  readonly fill: (count: number, odd?: Oddity) => void;
  readonly report: (words: readonly string[]) => Promise<unknown>;
  readonly resources: () => Promise<readonly JsonObject[]>;
  /** Changes a resource in the service. */
  readonly edit: (id: string, fields: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

/** A kind of store, and of what it has. */
export interface OddKind {
  readonly words: readonly string[];
  /** The field that identifies a resource. */
  readonly key: string;
  /** The fields of each resource that stores write, with values that no store has. */
  readonly edited: Readonly<Record<string, unknown>>;
  /** By the members of each part: the fields of the service that it decides; undefined if all, or whether it is taken at all. */
  readonly parts: readonly {
    readonly keys: readonly string[];
    readonly members: Readonly<Record<string, readonly string[] | undefined>>;
  }[];
  readonly start: () => Promise<OddStore>;
}

const ODD = fc.constantFrom<unknown>(
  null,
  true,
  5,
  -1,
  2.5,
  1e13,
  '',
  ' ',
  'x'.repeat(70_000),
  '<b>',
  'a\u0000b\u009f',
  `e${'\u0301'.repeat(40)}`,
  '12,5',
  '-3',
  '8.2645',
  '2026-13-45',
  'photo one.jpg',
  [],
  {},
  ['x', 7, null],
  [{ src: 'a b' }, { src: PHOTO }],
  { count: 9 },
  { url: 'a b' },
  // As PHP writes an array whose numbers have gaps.
  { 0: 11, 2: 12 },
  '100%',
);

/** The members that say what something is, so that the service can hold it or not. */
const TYPES: ReadonlySet<string> = new Set(['type', 'discount_type']);

/** The members with which something is another resource, so that the one that was there is not in the store. */
const KEYS: ReadonlySet<string> = new Set(['code']);

/** The members that are objects or lists, or say only how another one is to be read. */
const STRUCTURED: ReadonlySet<string> = new Set([
  'images',
  'image',
  'attributes',
  'manage_stock',
  'stock_status',
  'selectedOptions',
  'hasOnlyDefaultVariant',
  'mediaCount',
  'featuredMedia',
  'inventoryItem',
]);

/** Whether a value is neither a text nor a number, nor none. */
function isNoText(value: unknown): boolean {
  return typeof value === 'boolean' || (typeof value === 'object' && value !== null);
}

/** Returns an object with another value at a path. */
export function withValue(
  object: Readonly<Record<string, unknown>>,
  { member, value }: Oddity,
): Record<string, unknown> {
  const [name = '', ...rest] = member.split('.');
  const inner = record(rest.length === 0 ? {} : object[name]);
  const next =
    rest.length === 0 ? value : withValue(inner, { part: 0, member: rest.join('.'), value });
  return { ...object, [name]: next };
}

/** A resource without what the service assigns. */
function comparable(resource: JsonObject): Record<string, unknown> {
  const { id: _, createdAt: _c, updatedAt: _u, lastSyncedAt: _l, ...rest } = resource;
  return rest;
}

function byKey(all: readonly JsonObject[], key: string): Map<unknown, JsonObject> {
  return new Map(all.map((one) => [one[key], one]));
}

/** Expects that a resource has what somebody edited if that is reported, and the reverse. */
function expectReported(
  [resource, whole]: readonly [JsonObject, JsonObject],
  edited: OddKind['edited'],
  skipped: readonly Record<string, unknown>[],
  { member, value }: Oddity,
): void {
  for (const [field, written] of Object.entries(edited)) {
    const isOf = (one: unknown): boolean => String(one).split('.')[0] === field;
    const said = skipped.filter((one) => one['field'] === undefined || isOf(one['field']));
    // What has no key says that nobody knows what else is left out.
    const isWhole = said.some(
      (one) => one['key'] !== null && [undefined, field].some((name) => one['field'] === name),
    );
    // Of a list, what can be read is taken.
    if (isWhole && member !== 'images') expect([field, resource[field]]).toEqual([field, written]);
    const isStale = JSON.stringify(resource[field]) === JSON.stringify(written);
    // A list of other variations says that the product has not these.
    const isMoved = KEYS.has(member) || (member === 'variations' && Array.isArray(value));
    const isHere = value !== null && !STRUCTURED.has(member) && !isMoved;
    if (isStale && isHere)
      expect([field, whole[field], said]).not.toEqual([field, whole[field], []]);
  }
}

/** Puts odd values into a kind of store. */
export async function expectOneOddValue({
  words,
  key,
  parts,
  edited,
  start,
}: OddKind): Promise<void> {
  const usual = await start();
  usual.fill(7);
  await usual.report(words);
  const expected = byKey(await usual.resources(), key);
  const places = parts.flatMap(({ members }, part) =>
    Object.keys(members).map((member) => ({ part, member })),
  );

  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...places),
      ODD,
      fc.boolean(),
      async ({ part, member }, value, isNew) => {
        const { fill, report, resources, edit } = await start();
        fill(6);
        if (!isNew) await report(words);
        const { keys = [], members = {} } = parts[part] ?? {};
        const decided = members[member];
        const isOfPart = (one: JsonObject): boolean => keys.includes(String(one[key]));
        const before = isNew ? [] : (await resources()).filter(isOfPart);
        for (const { id } of before) await edit(String(id), edited);
        fill(7, { part, member, value });

        const said = record(await report(words));
        expect(said['error']).toBeUndefined();
        if (decided !== undefined) expect(said['refused']).toEqual([]);
        const skipped = records(said['skipped']);
        // A variation that a product names is reported, whatever its id.
        const named = member === 'variations' && Array.isArray(value) ? value.map(String) : [];
        for (const one of skipped) expect([...keys, ...named, null]).toContain(one['key']);
        const found = byKey(await resources(), key);
        const isType = typeof value === 'string' && value.trim() !== '';
        if (TYPES.has(member) && !isType) {
          expect(skipped.map(({ kind }) => kind)).not.toContain('unsupported');
        }
        for (const [name, whole] of expected) {
          const isOwn = keys.includes(String(name));
          const one = found.get(name);
          if (isOwn && !isNew) {
            const own = skipped.filter((each) => each['key'] === name || each['key'] === null);
            expectReported([one ?? {}, whole], edited, own, { part, member, value });
          }
          const isSkipped = skipped.some((each) => each['field'] === undefined);
          // Nobody can recognize it, or it is new and lacks what it needs.
          if (isOwn && (decided === undefined || (isNew && isSkipped))) continue;
          const isLeft = (field: string): boolean => isOwn && decided?.includes(field) === true;
          const rest = (all: JsonObject): unknown =>
            Object.entries(comparable(all)).filter(([field]) => !isLeft(field));
          expect(rest(one ?? {})).toEqual(rest(whole));
        }
        if (
          decided !== undefined &&
          decided.length > 0 &&
          !STRUCTURED.has(member) &&
          isNoText(value)
        ) {
          const isNamed = ({ field }: Record<string, unknown>): boolean =>
            field === undefined || decided.some((one) => one === field);
          expect(skipped.filter(isNamed)).not.toEqual([]);
        }
        await report(words);
        expect(byKey(await resources(), key)).toEqual(found);
      },
    ),
    // Five kinds of things have so many each, and find the same breaks as with more of them.
    random(12),
  );
}
