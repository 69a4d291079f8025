import { UNKNOWN } from './attack.ts';
import type { Answer } from './brand.ts';
import { TestBrand } from './brand.ts';
import { collections } from './collections.ts';
import type { Fields } from './collections/collection.ts';
import { fullProfile } from './samples.ts';
import { snapshot } from './snapshot.ts';

/** An operation that takes a body, with a valid one that changes something. */
interface BodyWrite {
  readonly method: 'POST' | 'PUT' | 'PATCH';
  /** `:id` stands for the id of a resource. */
  readonly path: string;
  readonly valid: Fields;
}

export const bodyWrites: readonly BodyWrite[] = [
  { method: 'PUT', path: '/profile', valid: fullProfile },
  { method: 'PATCH', path: '/profile', valid: { brand: { contactName: 'Changed' } } },
  ...collections.flatMap(({ path, full, key, note }): BodyWrite[] => [
    { method: 'POST', path, valid: { ...full, [key]: 'CHANGED' } },
    { method: 'PUT', path: `${path}/:id`, valid: { ...full, [key]: 'CHANGED' } },
    { method: 'PATCH', path: `${path}/:id`, valid: { [note]: 'Changed' } },
  ]),
];

/** The writes that name a resource. */
export const itemBodyWrites = bodyWrites.filter(({ path }) => path.endsWith('/:id'));

/** A brand with a profile and a resource in each collection, to check that nothing changes. */
export class FurnishedBrand {
  readonly brand: TestBrand;
  /** The ids by the paths of items. */
  readonly #ids: ReadonlyMap<string, string>;

  private constructor(brand: TestBrand, ids: ReadonlyMap<string, string>) {
    this.brand = brand;
    this.#ids = ids;
  }

  static async create(): Promise<FurnishedBrand> {
    const brand = await TestBrand.create();
    const ids = new Map<string, string>();
    for (const { path, full } of collections) {
      ids.set(`${path}/:id`, (await brand.create(path, full)).id);
    }
    return new FurnishedBrand(brand, ids);
  }

  /** Returns a path with the id of a resource of this brand instead of `:id`. */
  path(path: string): string {
    return path.replace(':id', this.#ids.get(path) ?? '');
  }

  /** Sends a body unchanged, with an id of this brand in the path. */
  async write(
    method: string,
    path: string,
    raw: BodyInit,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return this.brand.send(method, this.path(path), undefined, { raw, headers });
  }

  /** Returns all of the brand's data in D1, as text. */
  async everything(): Promise<string> {
    return JSON.stringify(await snapshot(this.brand.issued.brandId));
  }
}

/** Returns a path with ids that no resource of the brand has. */
export function unknownPaths(path: string): string[] {
  return [UNKNOWN, 'abc', UNKNOWN.toUpperCase()].map((id) => path.replace(':id', id));
}
