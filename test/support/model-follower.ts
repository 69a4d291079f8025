import * as z from 'zod';
import type { Answer, Resource, TestBrand } from './brand.ts';
import { resourcesOf } from './brand.ts';
import type { BrandModel } from './model.ts';
import { mismatch } from './model.ts';
import type { Place } from './model-changes.ts';
import type { TestCollection } from './collections/collection.ts';

/** A token, and where it stands in the model; none where a follower starts. */
interface Issued {
  readonly token: string;
  readonly place: Place | undefined;
}

/** The tokens that a follower of a collection has been given. */
export class Followed {
  readonly #issued: Issued[] = [{ token: '0', place: undefined }];

  /** One of them. */
  pick(target: number): Issued {
    return this.#issued[target % this.#issued.length] ?? { token: '0', place: undefined };
  }

  get size(): number {
    return this.#issued.length;
  }

  note(issued: Issued): void {
    this.#issued.push(issued);
  }
}

/** What a follower was shown until there was no more. */
export interface Walk {
  readonly last: Answer;
  readonly resources: readonly Resource[];
  readonly deleted: readonly string[];
  readonly token: string;
}

/** Reads all changes after a token. */
export async function walk(
  brand: TestBrand,
  { path, deletedMany }: TestCollection,
  from: string,
  limit: number | undefined,
): Promise<Walk> {
  const resources: Resource[] = [];
  const deleted: string[] = [];
  for (let token = from; ;) {
    const size = limit === undefined ? '' : `&limit=${limit}`;
    const last = await brand.send('GET', `${path}?since=${token}${size}`);
    if (last.status !== 200) throw new Error(`since=${token}: ${last.status} ${last.text}`);
    resources.push(...resourcesOf(last));
    deleted.push(...z.array(z.string()).parse(last.body[deletedMany]));
    token = z.string().parse(last.body['since']);
    if (last.headers.get('Link') === null) return { last, resources, deleted, token };
  }
}

/** Why a follower was not shown what it must be; undefined if it was. */
export function followMismatch(
  model: BrandModel,
  of: TestCollection,
  place: Place | undefined,
  { last, resources, deleted }: Walk,
): string | undefined {
  const expected = model.since(of, place);
  const ids = resources.map(({ id }) => id);
  if (ids.join() !== expected.changed.join()) {
    return `changed are ${ids.join()}, not ${expected.changed.join()}`;
  }
  // What was created and deleted since may be reported, and need not.
  const sure = deleted.filter((id) => !expected.fleeting.includes(id));
  if (sure.join() !== expected.deleted.join() || new Set(deleted).size < deleted.length) {
    return `deleted are ${deleted.join()}, not ${expected.deleted.join()}`;
  }
  return resources
    .map((resource) => mismatch(model.find(of, resource.id), last, resource))
    .find((problem) => problem !== undefined);
}
