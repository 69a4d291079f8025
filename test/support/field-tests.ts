import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Resource } from './brand.ts';
import { resourceOf, TestBrand } from './brand.ts';
import { pushedOf } from './push.ts';
import type { TestCollection } from './collections/collection.ts';
import { bareProfile } from './samples.ts';
import { snapshot } from './snapshot.ts';
import type { FieldRows } from './fields/row.ts';
import { Json, jsonObject, jsonText } from './json-text.ts';

/** A group of fields in a body, and how to write and read them. */
export interface Target {
  readonly methods: readonly string[];
  /** The path of the group in the body of a method, such as `brand.`. */
  prefix(method: string): string;
  /** Creates the resource that PUT and PATCH write to, with only the required fields, and returns its path. */
  make(brand: TestBrand): Promise<string>;
  reset(brand: TestBrand, item: string): Promise<Answer>;
  /** The path that a method writes to. */
  path(method: string, item: string): string;
  /** The JSON text of a body with this member. */
  body(method: string, field: string, value: unknown, item: string): string;
  location(method: string, item: string, written: Answer): string;
  shown(read: Answer): Readonly<Record<string, unknown>>;
}

const READ_ONLY = new Set(['id', 'createdAt', 'updatedAt']);

/** Tests every field of a target with its accepted and refused values. */
export function testFields(target: Target, fields: FieldRows): void {
  it('Each field has a row in test/support/fields', async () => {
    const brand = await TestBrand.create();
    const read = await brand.send('GET', await target.make(brand));
    const writable = Object.keys(target.shown(read)).filter((name) => !READ_ONLY.has(name));
    expect(Object.keys(fields).sort(), 'in test/support/fields, add a row for each field').toEqual(
      writable.sort(),
    );
  });

  describe.each(Object.keys(fields))('%s', (field) => {
    const { accepted = [], refused = [] } = fields[field] ?? {};
    // The brands for the values of a field. Each POST uses its own brand, because a code is unique within a brand.
    let brand: TestBrand;
    let poster: TestBrand;
    let item: string;

    beforeAll(async () => {
      brand = await TestBrand.create();
      poster = await TestBrand.create();
      item = await target.make(brand);
    });

    const write = (writer: TestBrand, method: string, raw: string): Promise<Answer> =>
      writer.send(method === 'push' ? 'POST' : method, target.path(method, item), undefined, {
        raw,
      });

    it.each(accepted.map(({ sent, kept }, n) => [label(sent), sent, kept, n] as const))(
      'An accepted value is stored: %s',
      async (_, sent, kept, n) => {
        for (const method of methodsFor(target, n)) {
          const writer = method === 'POST' ? poster : brand;
          if (method !== 'POST') expect((await target.reset(brand, item)).status).toBe(200);
          const raw = target.body(method, field, sent, item);
          const written = await write(writer, method, raw);
          expect(written.status, reason(written)).toBe(method === 'POST' ? 201 : 200);
          const location = target.location(method, item, written);
          const read = await writer.send('GET', location);
          expect(target.shown(read)[field], method).toEqual(kept);
          expect(target.shown(written), method).toEqual(target.shown(read));
          if (method === 'POST') expect((await writer.send('DELETE', location)).status).toBe(200);
        }
      },
    );

    describe.runIf(refused.length > 0)('refused values', () => {
      let before: unknown;

      beforeAll(async () => {
        before = await snapshot(brand.issued.brandId);
      });

      it.each(refused.map((value, n) => [label(value), value, n] as const))(
        'A refused value is 400, and names the field: %s',
        async (_, value, n) => {
          for (const method of methodsFor(target, n)) {
            const raw = target.body(method, field, value, item);
            const answer = await write(brand, method, raw);
            expect(Object.keys(answer.body), method).toEqual(['error']);
            expect(problems(answer), method).toEqual([`${target.prefix(method)}${field}`]);
            expect(answer.status, method).toBe(400);
          }
        },
      );

      it('The refused values of a field write nothing', async () => {
        expect(await snapshot(brand.issued.brandId)).toEqual(before);
      });
    });
  });
}

/** The methods have one rule for each field. So the first value is sent by all of them, and each further one by one. */
function methodsFor({ methods }: Target, n: number): readonly string[] {
  return n === 0 ? methods : methods.slice(n % methods.length).slice(0, 1);
}

/** Says why a value was not stored. */
function reason({ status, text }: Answer): string {
  return status === 500
    ? "the column's CHECK in its migration refuses what its field in src accepts"
    : text;
}

/** Returns the paths of the problems in a response, in order. */
export function problems({ body }: Answer): string[] {
  const text = String(body['error']);
  const prefix = 'Invalid request: ';
  expect(text.slice(0, prefix.length)).toBe(prefix);
  return text
    .slice(prefix.length)
    .split('; ')
    .map((problem) => problem.slice(0, Math.max(0, problem.indexOf(': '))));
}

/** Returns the fields of a collection's resources. */
export function collectionTarget(of: TestCollection): Target {
  const { path: collection, many } = of;
  const bare = of.bare(1);
  const paths: Readonly<Record<string, string>> = {
    POST: collection,
    push: `${collection}?match=id`,
  };
  return {
    methods: ['POST', 'PUT', 'PATCH', 'push'],
    prefix: (method) => (method === 'push' ? `${many}.0.` : ''),
    make: async (brand) => itemPath(collection, await brand.create(collection, bare)),
    reset: (brand, item) => brand.send('PATCH', item, { ...bare, ...of.defaults }),
    path: (method, item) => paths[method] ?? item,
    body: (method, field, value, item) => {
      if (method !== 'push') return jsonObject({ ...(method !== 'PATCH' && bare), [field]: value });
      const id = item.slice(collection.length + 1);
      return `{"${many}":[${jsonObject({ id, [field]: value })}]}`;
    },
    location: (method, item, written) =>
      method === 'POST' ? itemPath(collection, resourceOf(written)) : item,
    shown: (answer) =>
      'results' in answer.body ? (pushedOf(answer, of)[0] ?? {}) : resourceOf(answer),
  };
}

/** Returns the fields of a half of the profile. */
export function profileTarget(half: 'brand' | 'connection'): Target {
  return {
    methods: ['PUT', 'PATCH'],
    prefix: () => `${half}.`,
    make: () => Promise.resolve('/profile'),
    reset: (brand, item) => brand.send('PUT', item, bareProfile),
    path: (_, item) => item,
    body: (method, field, value) => {
      const bare = method === 'PUT' ? bareProfile : {};
      const required = method === 'PUT' && half === 'brand' ? bareProfile.brand : {};
      return jsonObject({ ...bare, [half]: new Json(jsonObject({ ...required, [field]: value })) });
    },
    location: () => '/profile',
    shown: ({ body }) => partOf(body, half),
  };
}

/** Returns an object within a body. */
export function partOf(
  body: Readonly<Record<string, unknown>>,
  name: string,
): Readonly<Record<string, unknown>> {
  const part = body[name];
  return typeof part === 'object' && part !== null ? { ...part } : {};
}

function itemPath(collection: string, { id }: Resource): string {
  return `${collection}/${id}`;
}

/** Formats a value for the name of a test, which must be well-formed Unicode. */
function label(value: unknown): string {
  const text = jsonText(value);
  const short = text.length > 60 ? `${text.slice(0, 40)}… (${text.length} units long)` : text;
  return short.toWellFormed();
}
