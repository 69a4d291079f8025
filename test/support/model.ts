import type { Answer, Resource } from './brand.ts';
import type { TestCollection } from './collections/collection.ts';
import type { Fields } from './model-fields.ts';
import { folded, isShownAs, read, withDerived } from './model-fields.ts';
import { changed, readPut } from './model-change.ts';
import type { Verdict } from './model-push.ts';
import { judge } from './model-push.ts';

// What the service must hold and answer, written a second time in the plainest way.

/** What must come of a request: the status, and of a success what it shows, as far as the model knows it. */
export interface Expectation {
  readonly status: number;
  readonly shown?: Fields;
}

export interface PushRules {
  readonly match: string;
  readonly isLenient: boolean;
  readonly ifNewer: boolean;
}

/** What must come of a push. */
export interface PushExpectation {
  readonly status: number;
  /** By item; of a push that is refused whole there are none. */
  readonly verdicts: readonly Verdict[];
}

/** One brand as it must be. */
export class BrandModel {
  readonly #collections = new Map<TestCollection, Map<string, Fields>>();

  /** The resources of a collection by id, in the order of a list. */
  resources(of: TestCollection): Map<string, Fields> {
    const known = this.#collections.get(of) ?? new Map<string, Fields>();
    this.#collections.set(of, known);
    return known;
  }

  create(of: TestCollection, body: unknown): Expectation {
    const fields = read(of.model, body, false);
    if (fields === undefined) return { status: 400 };
    if (this.#isTaken(of, fields, undefined)) return { status: 409 };
    return { status: 201, shown: fields };
  }

  created(of: TestCollection, id: string, fields: Fields): void {
    this.resources(of).set(id, withDerived(of.model, fields, id));
  }

  change(of: TestCollection, method: 'PUT' | 'PATCH', id: string, body: unknown): Expectation {
    const fields = method === 'PUT' ? readPut(of, body) : read(of.model, body, true);
    if (fields === undefined) return { status: 400 };
    const known = this.resources(of).get(id);
    if (known === undefined) return { status: 404 };
    if (this.#isTaken(of, fields, id)) return { status: 409 };
    const shown = changed(of, known, fields);
    this.resources(of).set(id, shown);
    return { status: 200, shown };
  }

  find(of: TestCollection, id: string): Expectation {
    const shown = this.resources(of).get(id);
    return shown ? { status: 200, shown } : { status: 404 };
  }

  remove(of: TestCollection, id: string): Expectation {
    return { status: this.resources(of).delete(id) ? 200 : 404 };
  }

  push(
    of: TestCollection,
    { match, isLenient, ifNewer }: PushRules,
    items: readonly unknown[],
  ): PushExpectation {
    // Only a time at the source tells which of two events is newer.
    if (ifNewer && of.sourceTime === undefined) return { status: 400, verdicts: [] };
    const verdicts = judge(of, { match, ifNewer }, items, this.resources(of));
    const refused = verdicts.filter((verdict) => verdict.status === 'refused');
    if (refused.length === 0 || isLenient) return { status: 200, verdicts };
    return { status: refused.every(({ isTaken }) => isTaken) ? 409 : 400, verdicts: [] };
  }

  /** Notes what a push has done. */
  pushed(of: TestCollection, id: string, verdict: Verdict): void {
    if (verdict.status === 'created') this.created(of, id, verdict.fields(id));
    if (verdict.status === 'deleted') this.remove(of, verdict.id);
    if (verdict.status === 'updated') this.resources(of).set(id, verdict.fields);
  }

  #isTaken(of: TestCollection, fields: Fields, exceptId: string | undefined): boolean {
    const { isUnique, key } = of;
    const value = fields[key];
    if (!isUnique || typeof value !== 'string') return false;
    return [...this.resources(of)].some(
      ([id, { [key]: other }]) => id !== exceptId && folded(String(other)) === folded(value),
    );
  }
}

/** Why an answer is not as it must be; undefined where it is. */
export function mismatch(
  { status, shown }: Expectation,
  answer: Answer,
  resource: unknown,
): string | undefined {
  const { text, body } = answer;
  if (answer.status !== status) return `${status} expected, got ${answer.status} ${text}`;
  if (status >= 400) {
    const isError = Object.keys(body).join() === 'error' && typeof body['error'] === 'string';
    return isError ? undefined : `no { error }: ${text}`;
  }
  return fieldsMismatch(shown ?? {}, resource);
}

/** Why a resource is not as it must be; undefined where it is. */
export function fieldsMismatch(shown: Fields, resource: unknown): string | undefined {
  const got: Fields = typeof resource === 'object' && resource !== null ? { ...resource } : {};
  const wrong = Object.entries(shown).filter(([name, value]) => !isShownAs(value, got[name]));
  const expected = JSON.stringify(wrong);
  return wrong.length === 0 ? undefined : `${expected} expected, got ${JSON.stringify(resource)}`;
}

/** Why a list of resources is not as the model says. */
export function listMismatch(
  expected: ReadonlyMap<string, Fields>,
  resources: readonly Resource[],
): string | undefined {
  const [ids, known] = [resources.map(({ id }) => id), [...expected.keys()]];
  if (ids.join() !== known.join()) return `the ids are ${ids.join()}, not ${known.join()}`;
  return resources
    .map((resource) => fieldsMismatch(expected.get(resource.id) ?? {}, resource))
    .find((problem) => problem !== undefined);
}
