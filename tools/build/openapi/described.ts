import * as z from 'zod/mini';
import type { Collection } from '../../../src/collection/collection.ts';
import { shapes } from '../../../src/fields/expected.ts';
import type { Shape } from '../../../src/fields/schema.ts';
import { isRequired, withoutDefault, withoutNull } from '../../../src/fields/schema.ts';
import type { Profile } from '../../../src/resources/profile.ts';
import type { Meaning, Meanings } from '../meanings.ts';
import { ResourceMistake } from './mistake.ts';
import type { Names } from './names.ts';
import { namesOf } from './names.ts';

/** A field with everything that the document says about it. */
export interface DescribedField extends Meaning {
  readonly name: string;
  readonly schema: z.core.$ZodType;
  /** The rule in words, as a sentence. */
  readonly rule: string;
  readonly isRequired: boolean;
}

/** A resource, or a half of the profile, with its fields in display order. */
export interface Described {
  readonly text: string;
  readonly fields: readonly DescribedField[];
}

/** A collection with its descriptions. */
export interface DescribedCollection extends Described {
  readonly collection: Collection;
  readonly names: Names;
}

/** Everything that the document describes. */
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
  const describe = (name: string, shape: Shape, filters: object = {}): Described => {
    const { file = 'src/resources', text = '', fields: said = {} } = meanings[name] ?? {};
    if (text === '') problems.push(`${file}: write above ${name} what it is: /** … */`);
    const fields = Object.entries(shape).map(([field, schema]) => {
      const rule = shapes.get(withoutNull(schema))?.description ?? '';
      const meaning = said[field] ?? { text: '' };
      const described = { ...meaning, name: field, schema, rule, isRequired: isRequired(schema) };
      for (const problem of problemsOf(described)) {
        problems.push(`${file}: the field ${field} of ${name} ${problem}`);
      }
      if (field in filters && described.example === null) {
        problems.push(
          `${file}: ${name} can be filtered by ${field}, whose example is null. Write another`,
        );
      }
      return described;
    });
    return { text, fields };
  };
  const service = {
    profile,
    brand: describe('brand', profile.brand.fields),
    connection: describe('connection', profile.connection.fields),
    collections: collections.map((collection) => ({
      collection,
      names: namesOf(collection),
      ...describe(collection.path, collection.fields, collection.filters),
    })),
  };
  if (problems.length > 0) throw new ResourceMistake(problems.join('\n'));
  return service;
}

const COMMENT = '/** What it is. @example "…" */';

/** Returns the problems of a field's description, and how to fix them. */
function problemsOf({ schema, text, rule, example, derivedDefault }: DescribedField): string[] {
  const problems: string[] = [];
  if (text === '') problems.push(`has no meaning. Write a comment above it: ${COMMENT}`);
  if (rule === '') {
    problems.push('has no rule in words. Register a description where its kind is defined');
  }
  if (example === undefined) {
    problems.push(`has no example. End its comment with one, as JSON: ${COMMENT}`);
  } else if (!isShownAs(schema, example)) {
    problems.push(
      `never has its example ${JSON.stringify(example)}. Write one that keeps its rule`,
    );
  }
  const isDerived = schema instanceof z.ZodMiniOptional;
  if (isDerived && derivedDefault === undefined) {
    problems.push('is derived if it is left out. Say in its comment how: @default …');
  }
  if (!isDerived && derivedDefault !== undefined) {
    problems.push('has a constant default or none. Take @default out of its comment');
  }
  return problems;
}

/** Whether the service returns this value unchanged. */
function isShownAs(schema: z.core.$ZodType, value: unknown): boolean {
  const parsed = z.safeParse(withoutDefault(schema), value);
  return parsed.success && JSON.stringify(parsed.data) === JSON.stringify(value);
}
