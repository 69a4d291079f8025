import * as z from 'zod/mini';
import type { Collection } from '../../../src/collection/collection.ts';
import { jsonSchemas } from '../../../src/fields/expected.ts';
import { withoutNull } from '../../../src/fields/schema.ts';
import type { profile as served } from '../../../src/resources/profile.ts';
import type { Meaning, Meanings } from '../meanings.ts';
import { ResourceMistake } from '../meanings.ts';

type Profile = typeof served;

/** A field with everything that the document says about it. */
export interface DescribedField extends Meaning {
  readonly name: string;
  readonly schema: z.core.$ZodType;
  readonly rule: string;
  readonly isRequired: boolean;
  /** Undefined if it is required, or derived. */
  readonly constantDefault: unknown;
  /** Whether a PUT that leaves it out resets it to its default. */
  readonly isReset: boolean;
}

/** A resource, or a half of the profile, with its fields in display order. */
export interface Described {
  readonly text: string;
  readonly fields: readonly DescribedField[];
}

/** A collection with its descriptions, and the names that the document uses for it. */
export interface DescribedCollection extends Described {
  readonly collection: Collection;
  /** `CouponCode`: its schemas, and the operations on one resource. */
  readonly one: string;
  /** `CouponCodes`: the operation that lists them. */
  readonly many: string;
  /** `coupon code` and `coupon codes`, within a sentence. */
  readonly noun: string;
  readonly nouns: string;
  /** `Coupon codes`, as a heading. */
  readonly heading: string;
}

export interface DescribedService {
  readonly profile: Profile;
  readonly brand: Described;
  readonly connection: Described;
  readonly collections: readonly DescribedCollection[];
}

/**
 * Combines the rules of all fields with the comments above them.
 * @throws ResourceMistake naming every field that lacks a comment, an example or a default, or whose example breaks its rule
 */
export function describeService(
  profile: Profile,
  collections: readonly Collection[],
  meanings: Meanings,
): DescribedService {
  const problems: string[] = [];
  const describe = (
    name: string,
    {
      fields: shape,
      defaults,
      required = Object.keys(shape).filter((field) => !(field in defaults)),
      resetByPut = Object.keys(defaults),
      filters = {},
    }: Pick<Collection, 'fields' | 'defaults'> & Partial<Collection>,
  ): Described => {
    const { file = 'src/resources', text = '', fields: said = {} } = meanings[name] ?? {};
    if (text === '') problems.push(`${file}: write above ${name} what it is: /** … */`);
    const fields = Object.entries(shape).map(([field, schema]) => {
      const rule = jsonSchemas.get(withoutNull(schema))?.description ?? '';
      const meaning = said[field] ?? { text: '' };
      const described = {
        ...meaning,
        name: field,
        schema,
        rule,
        isRequired: required.includes(field),
        constantDefault: defaults[field],
        isReset: resetByPut.includes(field),
      };
      for (const problem of problemsOf(described, field in filters)) {
        problems.push(`${file}: the field ${field} of ${name} ${problem}`);
      }
      return described;
    });
    return { text, fields };
  };
  const service = {
    profile,
    brand: describe('brand', profile.brand),
    connection: describe('connection', profile.connection),
    collections: collections.map((collection) => {
      const { path, noun, keys } = collection;
      const nouns = keys.many.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
      return {
        collection,
        one: capitalized(keys.one),
        many: capitalized(keys.many),
        noun: noun.toLowerCase(),
        nouns,
        heading: capitalized(nouns),
        ...describe(path, collection),
      };
    }),
  };
  if (problems.length > 0) throw new ResourceMistake(problems.join('\n'));
  return service;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const COMMENT = '/** What it is. @example "…" */';

/** Returns the problems of a field's description, and how to fix them. */
function problemsOf(field: DescribedField, isFilter: boolean): string[] {
  const { schema, text, rule, example, derivedDefault } = field;
  const isDerived = !field.isRequired && field.constantDefault === undefined;
  const hasExample = example !== undefined;
  const problems: readonly (readonly [boolean, string])[] = [
    [text === '', `has no meaning. Write a comment above it: ${COMMENT}`],
    [rule === '', 'has no rule in words. Register a description where its kind is defined'],
    [!hasExample, `has no example. End its comment with one, as JSON: ${COMMENT}`],
    [
      hasExample && !isShownAs(schema, example),
      `never has its example ${JSON.stringify(example)}. Write one that keeps its rule`,
    ],
    [isFilter && example === null, 'is a filter, and its example is null. Write another'],
    [
      isDerived && derivedDefault === undefined,
      'is derived if it is left out. Say in its comment how: @default …',
    ],
    [
      !isDerived && derivedDefault !== undefined,
      'has a constant default or none. Take @default out of its comment',
    ],
  ];
  return problems.filter(([isThere]) => isThere).map(([, problem]) => problem);
}

/** Whether the service returns this value unchanged. */
function isShownAs(schema: z.core.$ZodType, value: unknown): boolean {
  const parsed = z.safeParse(schema, value);
  return parsed.success && JSON.stringify(parsed.data) === JSON.stringify(value);
}
