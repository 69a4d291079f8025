import type { TestCollection } from '../../test/support/collections/collection.ts';
import { clean } from '../../test/support/fields/fuzzed.ts';
import type { Fields } from '../../test/support/model-fields.ts';
import { read } from '../../test/support/model-fields.ts';
import { judge } from '../../test/support/model-push.ts';
import type { Kept, RefusedItem, SyncReport, WithheldBecause } from '../src/index.ts';
import { NOTHING } from './outcomes.ts';

// What a sync must do and report, written a second time in the plainest way.

/** The options of a sync. */
export interface SyncRules {
  readonly match: string;
  readonly isOwned: (resource: Fields) => boolean;
  /** The fields that a resource keeps. */
  readonly keep: readonly string[];
  /** Whether the source says that a resource is gone; undefined if it is not asked. */
  readonly isGone: ((resource: Fields) => boolean) | undefined;
  /** Whether the caller has doubts about the list. */
  readonly hasDoubts: boolean;
  /** The maximum number or share of deletions, or `default`; undefined if nothing is to be deleted. */
  readonly max: number | `${number}%` | 'default' | undefined;
}

/** A report without its texts of errors, and without the values that a dry run names: sync.test.ts has those. */
export interface ModelReport extends Omit<SyncReport, 'kept' | 'refused' | 'changes'> {
  readonly kept: Omit<Kept, 'id'>[];
  readonly refused: Pick<RefusedItem, 'index' | 'key'>[];
}

/** What somebody else pushes. */
export interface Change {
  readonly match: string;
  readonly item: object;
}

/** After which step of a sync something happens. */
export const MOMENTS = ['list', 'push', 'look'] as const;
export type Moment = (typeof MOMENTS)[number];

interface Item {
  readonly index: number;
  readonly spelling: string;
  readonly fields: object;
  /** Whether it says nothing but its key. */
  readonly isBare: boolean;
}

const READ_ONLY = ['id', 'createdAt', 'updatedAt'];

/** The resources of a collection as they must be. */
export class ServiceModel {
  readonly of: TestCollection;
  /** By id. What is created after the beginning has ids of its own here. */
  readonly resources: Map<string, Fields>;
  /** The ids of what was created or changed after the items were read. */
  readonly recent: Set<string>;
  #created = 0;

  constructor(of: TestCollection, resources: Iterable<[string, Fields]>, recent: Iterable<string>) {
    this.of = of;
    this.resources = new Map(resources);
    this.recent = new Set(recent);
  }

  /** The same again, for a sync that writes nothing. */
  copy(): ServiceModel {
    return new ServiceModel(this.of, this.resources, this.recent);
  }

  /** Applies what somebody else pushes, unless the service refuses it. */
  change({ match, item }: Change): void {
    this.#push([item], match);
  }

  /**
   * Syncs.
   * @param after what happens after its steps
   */
  sync(
    items: readonly unknown[],
    rules: SyncRules,
    after: (moment: Moment) => void = () => undefined,
  ): ModelReport {
    const { match, isOwned, max, keep, isGone, hasDoubts } = rules;
    const report: ModelReport = { ...NOTHING, kept: [], refused: [] };
    const { wanted, isUnclear, idle } = this.#wanted(items, match, report);
    let accepted = -idle;
    report.unchanged += idle;

    const listed = [...this.resources].flatMap(([id, fields]) => {
      const spelling = match === 'id' ? id : fields[match];
      return typeof spelling === 'string'
        ? [{ id, fields, spelling, key: this.#key(spelling, match) }]
        : [];
    });
    let owned = 0;
    for (const [id, fields] of this.resources) {
      const isMatched = match === 'id' || typeof fields[match] === 'string';
      if (!isOwned({ ...fields, id })) continue;
      owned++;
      if (!isMatched) report.unmatched++;
    }
    const having = (key: string): number => listed.filter((one) => one.key === key).length;
    const toPush: Item[] = [];
    for (const [key, item] of wanted) {
      const old = listed.find((one) => one.key === key);
      const kept = old === undefined ? [] : keep;
      const named = Object.entries(item.fields).filter(([name]) => !kept.includes(name));
      const fields = Object.fromEntries(named);
      if (item.isBare) {
        report.unchanged++;
        if (old === undefined) accepted--;
      } else if (having(key) > 1) report.refused.push({ index: item.index, key: item.spelling });
      else if (old && this.#isEqual(fields, old.fields)) report.unchanged++;
      else toPush.push({ ...item, fields });
    }
    after('list');

    const statuses = this.#push(
      toPush.map(({ fields }) => fields),
      match,
    );
    for (const [at, { index, spelling }] of toPush.entries()) {
      const status = statuses[at];
      if (status === 'created' || status === 'updated' || status === 'unchanged') report[status]++;
      else report.refused.push({ index, key: spelling });
    }
    report.refused.sort((one, other) => one.index - other.index);
    if (toPush.length > 0) after('push');
    if (max === undefined) return report;

    const refused = report.refused.map(({ key }) => key !== null && this.#letters(key, match));
    const missing = listed.filter(
      ({ id, fields, key }) => isOwned({ ...fields, id }) && !wanted.has(key),
    );
    const doomed: typeof listed = [];
    for (const one of missing) {
      const { key, spelling } = one;
      const count = having(key);
      const keepIt = (reason: string): unknown => report.kept.push({ key: spelling, reason });
      if (count > 1) keepIt(`${count} resources have this ${match}`);
      else if (refused.includes(this.#letters(spelling, match))) {
        keepIt('an item with this key was refused');
      } else doomed.push(one);
    }
    accepted += report.created + report.updated + report.unchanged;
    const reasons: readonly (readonly [WithheldBecause, boolean])[] = [
      ['doubts', hasDoubts],
      ['unclear', isUnclear || refused.includes('')],
      ['nothing-accepted', accepted === 0],
      ['limit', doomed.length > limit(max, owned - report.unmatched)],
    ];
    const [because] = reasons.find(([, holds]) => holds) ?? [];
    if (because !== undefined && doomed.length > 0) {
      report.withheld = doomed.length;
      report.withheldBecause = because;
      return report;
    }
    const isRecent = new Set([...this.recent].filter((id) => this.resources.has(id)));
    let isFirst = true;
    for (const { id, fields, spelling: key } of doomed) {
      if (isRecent.has(id)) {
        report.kept.push({ key, reason: 'it was changed after the items were read' });
        continue;
      }
      if (isGone?.(fields) === false) {
        report.kept.push({ key, reason: 'the source does not confirm that it is gone' });
        continue;
      }
      if (isFirst) after('look');
      isFirst = false;
      // Somebody else has deleted it.
      if (!this.resources.has(id)) continue;
      if (this.resources.get(id) !== fields) {
        report.kept.push({ key, reason: 'it was changed during the sync' });
      } else {
        this.resources.delete(id);
        report.deleted++;
      }
    }
    return report;
  }

  /** Reads the items. Refuses those that mean no resource, or that of an earlier item. */
  #wanted(
    items: readonly unknown[],
    match: string,
    { refused }: ModelReport,
  ): { readonly wanted: Map<string, Item>; readonly isUnclear: boolean; readonly idle: number } {
    const wanted = new Map<string, Item>();
    let isUnclear = false;
    let idle = 0;
    for (const [index, item] of items.entries()) {
      const value: unknown = Reflect.get(Object(item), match);
      if (typeof item === 'object' && item !== null && typeof value === 'string' && value.trim()) {
        const key = this.#key(value, match);
        const isBare = Object.entries(item).every(
          ([name, set]) => name === match || set === undefined || READ_ONLY.includes(name),
        );
        if (wanted.has(key) && isBare) idle++;
        else if (Object.hasOwn(item, 'deleted') || wanted.has(key)) {
          refused.push({ index, key: value });
        } else wanted.set(key, { index, spelling: value, fields: item, isBare });
      } else {
        isUnclear = true;
        refused.push({ index, key: Number.isSafeInteger(value) ? String(value) : null });
      }
    }
    return { wanted, isUnclear, idle };
  }

  /** Pushes items. Returns what becomes of each. */
  #push(items: readonly object[], match: string): string[] {
    const verdicts = judge(this.of, { match, ifNewer: false }, items, this.resources);
    for (const verdict of verdicts) {
      if (verdict.status === 'created') {
        const id = `created-${this.#created++}`;
        this.resources.set(id, verdict.fields(id));
        this.recent.add(id);
      } else if (verdict.status === 'updated') {
        this.resources.set(verdict.id, verdict.fields);
        this.recent.add(verdict.id);
      } else if (verdict.status === 'deleted') {
        this.resources.delete(verdict.id);
      }
    }
    return verdicts.map(({ status }) => status);
  }

  #isEqual(item: object, resource: Fields): boolean {
    const named = read(this.of.model, item, true);
    return (
      named !== undefined &&
      Object.entries(named).every(([name, value]) => resource[name] === value)
    );
  }

  /** What a key and a refused spelling of it have in common. */
  #letters(key: string, match: string): string {
    const letters = Array.from(key).filter((letter) => !/[\s\p{C}]/u.test(letter));
    return this.#key(letters.join(''), match);
  }

  /** A key as the service compares it. */
  #key(value: string, match: string): string {
    const { isUnique, key } = this.of;
    return isUnique && match === key ? clean(value).toLowerCase() : clean(value);
  }
}

/** How many of so many may be deleted. */
function limit(max: number | `${number}%` | 'default', owned: number): number {
  if (max === 'default') return Math.min(Math.max(10, owned * 0.1), owned / 2);
  return typeof max === 'number' ? max : (owned * parseFloat(max)) / 100;
}
