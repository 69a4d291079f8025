import type { Answer } from './brand.ts';
import type { ExpectedChanges, Place } from './model-changes.ts';
import { ChangeOrder } from './model-changes.ts';
import type { Fields, Kind } from './model-fields.ts';
import { COLLECTIONS, read, uniqueOf, withDerived } from './model-fields.ts';
import type { Verdict } from './model-push.ts';
import { judge } from './model-push.ts';

// What the service must hold and answer, told again in the plainest way.

/** What must come of a request: the status, and of a success what it shows, as far as the model knows it. */
export interface Expectation {
  readonly status: number;
  readonly shown?: Fields;
}

/** What must come of a push. */
export interface PushExpectation {
  readonly status: number;
  /** By item; of a push that is refused whole there are none. */
  readonly verdicts: readonly Verdict[];
}

/** One brand as it must be. */
export class BrandModel {
  readonly profile: Record<string, unknown>;
  readonly resources: Record<Kind, Map<string, Fields>> = {
    products: new Map(),
    'coupon-codes': new Map(),
    widgets: new Map(),
  };
  readonly #order: Record<Kind, ChangeOrder> = {
    products: new ChangeOrder(),
    'coupon-codes': new ChangeOrder(),
    widgets: new ChangeOrder(),
  };

  constructor(brandName: string) {
    this.profile = { ...COLLECTIONS.profile.defaults, brandName };
  }

  create(kind: Kind, body: unknown): Expectation {
    const fields = read(kind, body, false);
    if (fields === undefined) return { status: 400 };
    if (this.#isTaken(kind, fields, undefined)) return { status: 409 };
    return { status: 201, shown: fields };
  }

  created(kind: Kind, id: string, fields: Fields): void {
    this.resources[kind].set(id, withDerived(kind, fields, id));
    this.#order[kind].change(id);
  }

  change(kind: Kind, method: 'PUT' | 'PATCH', id: string, body: unknown): Expectation {
    const given = read(kind, body, method === 'PATCH');
    if (given === undefined) return { status: 400 };
    const known = this.resources[kind].get(id);
    if (known === undefined) return { status: 404 };
    const fields = method === 'PUT' ? withDerived(kind, given, id) : given;
    if (this.#isTaken(kind, fields, id)) return { status: 409 };
    const shown = { ...known, ...fields };
    this.resources[kind].set(id, shown);
    // A write that changes nothing is no change.
    if (Object.keys(shown).some((name) => shown[name] !== known[name])) {
      this.#order[kind].change(id);
    }
    return { status: 200, shown };
  }

  find(kind: Kind, id: string): Expectation {
    const shown = this.resources[kind].get(id);
    return shown ? { status: 200, shown } : { status: 404 };
  }

  remove(kind: Kind, id: string): Expectation {
    if (!this.resources[kind].delete(id)) return { status: 404 };
    this.#order[kind].remove(id);
    return { status: 200 };
  }

  push(kind: Kind, match: string, items: readonly unknown[], isLenient: boolean): PushExpectation {
    const verdicts = judge(kind, match, items, this.resources[kind]);
    const refused = verdicts.filter((verdict) => verdict.status === 'refused');
    if (refused.length === 0 || isLenient) return { status: 200, verdicts };
    return { status: refused.every(({ isTaken }) => isTaken) ? 409 : 400, verdicts: [] };
  }

  /** Notes what a push has done. */
  pushed(kind: Kind, id: string, verdict: Verdict): void {
    if (verdict.status === 'created') this.created(kind, id, verdict.fields(id));
    if (verdict.status !== 'updated') return;
    this.resources[kind].set(id, verdict.fields);
    this.#order[kind].change(id);
  }

  /** Where a follower is that has everything. */
  now(kind: Kind): Place {
    return this.#order[kind].now;
  }

  since(kind: Kind, place: Place | undefined): ExpectedChanges {
    return this.#order[kind].since(place);
  }

  changeProfile(method: 'PUT' | 'PATCH', brand: unknown): Expectation {
    const fields = read('profile', brand, method === 'PATCH');
    if (fields === undefined) return { status: 400 };
    Object.assign(this.profile, fields);
    return { status: 200, shown: this.profile };
  }

  #isTaken(kind: Kind, fields: Fields, exceptId: string | undefined): boolean {
    const unique = uniqueOf(kind);
    const value = unique === undefined ? undefined : fields[unique];
    if (unique === undefined || typeof value !== 'string') return false;
    return [...this.resources[kind]].some(
      ([id, { [unique]: other }]) =>
        id !== exceptId && String(other).toLowerCase() === value.toLowerCase(),
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
  const got: Fields = typeof resource === 'object' && resource !== null ? { ...resource } : {};
  const wrong = Object.entries(shown ?? {}).filter(([name, value]) => got[name] !== value);
  return wrong.length === 0 ? undefined : `${JSON.stringify(wrong)} expected, got ${text}`;
}
