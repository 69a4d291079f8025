import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { collectionOf } from '../src/command/service/collections.ts';
import type { SyncCollection } from '../src/sync/collection.ts';
import { plan, sync as executed } from '../src/sync/sync.ts';
import type { CollectionName } from '../src/fields.ts';
import { COLLECTION_NAMES } from '../src/fields.ts';
import type { Pushed, SyncOptions, SyncReport } from '../src/index.ts';
import { BrandClient } from '../src/index.ts';
import { couponCodes, products } from '../../test/support/collections.ts';
import type { TestCollection } from '../../test/support/collections/collection.ts';
import type { Fields, ModelFields } from '../../test/support/model-fields.ts';
import { FaultyNetwork } from './faulty-network.ts';
import { all } from './outcomes.ts';
import { takeBrand } from '../../test/node/pool.ts';
import { record, records } from '../../test/node/processes.ts';
import type { Change, ModelReport, Moment, SyncRules } from './sync-model.ts';
import { MOMENTS, ServiceModel } from './sync-model.ts';
import type { AnyResource } from '../src/stores/source.ts';
import { random } from '../../test/support/random.ts';

// Whatever a brand has, whatever a list says and whoever else writes meanwhile, a sync does and reports what the model says.

const UNKNOWN = '01890000-0000-7000-8000-000000000000';

/** A collection with the values that are drawn: few, so that items and resources meet. */
interface Subject {
  readonly of: TestCollection;
  readonly matches: readonly string[];
  /** Good values of each field. The first two are needed. */
  readonly values: Readonly<Record<string, readonly unknown[]>>;
  /** A value of a field that the service refuses. */
  readonly bad: readonly Fields[];
  /** A field and its value in what a list may be responsible for. */
  readonly owned: readonly [string, string];
}

const SKUS = ['K0', 'k0', 'é', 'K 3', 'K4', 'K5', 'K6', 'K7', 'K8', 'K9', 'K10', 'K11'];
const CODES = ['K0', 'k0', 'K2', 'K3', 'K4', 'K5', 'K6', 'K7', 'K8', 'K9', 'K10', 'K11'];

/** The fields without the one that holds the time of a write, which the model does not know. */
function comparableModel({ model: { lastSyncedAt: _, ...model } }: TestCollection): ModelFields {
  return model;
}

const SUBJECTS: Readonly<Record<CollectionName, Subject>> = {
  products: {
    of: { ...products, model: comparableModel(products) },
    matches: ['sku', 'sku', 'storeVariantId', 'id'],
    values: {
      title: ['A', 'B', ' A ', 'Cafe\u0301'],
      priceCents: [1, 2],
      serviceListingStatus: ['LIVE', 'DRAFT'],
      featured: [true, false],
      sourceUpdatedAt: ['2026-01-02T00:00:00Z', '2026-01-02T01:00:00.0009+01:00', null],
      sku: [...SKUS, null],
      storeVariantId: [...SKUS, null],
    },
    bad: [{ priceCents: -1 }, { title: '' }, { title: null }, { colour: 'red' }, { deleted: true }],
    owned: ['serviceListingStatus', 'LIVE'],
  },
  'coupon-codes': {
    of: { ...couponCodes, model: comparableModel(couponCodes) },
    matches: ['code', 'storeDiscountId'],
    values: {
      code: CODES,
      discountPercent: [5, 10],
      category: ['A1', 'OTHER'],
      active: [true, false],
      description: ['x', ' x ', ''],
      storeDiscountId: [...SKUS, null],
    },
    bad: [{ discountPercent: -1 }, { code: '' }, { active: null }, { deleted: true }],
    owned: ['category', 'A1'],
  },
};

/** The names of the fields that a resource needs. */
function needed({ values }: Subject): readonly string[] {
  return Object.keys(values).slice(0, 2);
}

/** Draws fields: all that are needed, and any others. */
function resourceOf({ values }: Subject, required: readonly string[]): fc.Arbitrary<Fields> {
  const drawn = Object.entries(values).map(([name, of]) => [name, fc.constantFrom(...of)] as const);
  const fields: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(drawn);
  return fc.record(fields, { requiredKeys: [...required] });
}

/** How an item spells a key: most of them mean it, and some are refused. */
const READABLE: Readonly<Record<string, (key: string) => unknown>> = {
  'as it is': (key) => key,
  padded: (key) => ` ${key} `,
  decomposed: (key) => key.normalize('NFD'),
  'in lower case': (key) => key.toLowerCase(),
  'with a control character': (key) => `${key}\u0099`,
};
const [SAME = ''] = Object.keys(READABLE);
const SPELLINGS: typeof READABLE = {
  ...READABLE,
  'left out': () => undefined,
  null: () => null,
  blank: () => ' ',
  'a number': () => 17,
  'a number that is not exact': () => 1e30,
  'an object': () => ({}),
};

/** A place in a list of resources or keys. */
const nth = fc.nat({ max: 11 });

/** An item: fields of its own, and those of a resource or a key. */
interface DrawnItem {
  /** The place of the resource that it begins with. */
  readonly like?: number;
  /** Without that, the place of its key. */
  readonly key?: number;
  readonly spelling: string;
  readonly fields: Fields;
}

/** @param isClear whether all keys can be read */
function itemOf(subject: Subject, isClear: boolean): fc.Arbitrary<DrawnItem | null | string> {
  const spelling = fc.oneof(
    { weight: 9, arbitrary: fc.constant(SAME) },
    { weight: 1, arbitrary: fc.constantFrom(...Object.keys(isClear ? READABLE : SPELLINGS)) },
  );
  const bad = fc.oneof(
    { weight: 12, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.constantFrom(...subject.bad) },
  );
  const all = fc
    .tuple(resourceOf(subject, needed(subject)), bad)
    .map(([good, refused]) => ({ ...good, ...refused }));
  const some = fc.oneof(fc.constant({}), resourceOf(subject, []), bad);
  return fc.oneof(
    { weight: 3, arbitrary: fc.record({ key: nth, spelling, fields: fc.constant({}) }) },
    {
      weight: 20,
      arbitrary: fc.record({ like: nth, spelling, fields: some }),
    },
    { weight: 10, arbitrary: fc.record({ key: nth, spelling, fields: fc.oneof(all, all, some) }) },
    { weight: isClear ? 0 : 1, arbitrary: fc.constantFrom(null, 'K0') },
  );
}

/** What somebody else pushes, after which step. */
interface Disturbance {
  readonly after: Moment;
  /** The place of a resource; null for any new one. */
  readonly at: number | null;
  readonly fields: Fields;
}

function disturbanceOf(subject: Subject): fc.Arbitrary<Disturbance> {
  const after = fc.constantFrom(...MOMENTS);
  return fc.oneof(
    fc.record({ after, at: nth, fields: resourceOf(subject, []) }),
    fc.record({ after, at: nth, fields: fc.constant({ deleted: true }) }),
    fc.record({ after, at: fc.constant(null), fields: resourceOf(subject, needed(subject)) }),
  );
}

const scenario = fc.constantFrom(...COLLECTION_NAMES).chain((name) => {
  const subject = SUBJECTS[name];
  return fc.record({
    name: fc.constant(name),
    match: fc.constantFrom(...subject.matches),
    seeds: seedsOf(subject, 12),
    items: fc
      .constantFrom(true, true, true, false)
      .chain((isClear) => fc.array(itemOf(subject, isClear), { maxLength: 10, size: 'max' })),
    ownsAll: fc.boolean(),
    keep: fc.subarray(needed(subject).filter((name) => name !== subject.of.key)),
    /** Whether the source is asked once more. Then it has what has this value in the second field. */
    has: fc.constantFrom(undefined, 1, 5),
    /** How many of the seeds are created after the items were read. */
    late: fc.nat({ max: 2 }),
    hasDoubts: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
    isPlanned: fc.boolean(),
    max: fc.constantFrom<SyncRules['max'][]>(undefined, 'default', 0, 3, '20%', '50%', '100%', 11),
    disturbances: fc.oneof(
      fc.constant<Disturbance[]>([]),
      fc.array(disturbanceOf(subject), { maxLength: 3 }),
    ),
  });
});

function seedsOf(subject: Subject, maxLength: number): fc.Arbitrary<Fields[]> {
  const { isUnique, key } = subject.of;
  const keys = subject.matches.filter((field) => field !== 'id');
  const drawn = resourceOf(subject, [...needed(subject), ...keys]);
  if (!isUnique) return fc.array(drawn, { maxLength, size: 'max' });
  const selector = (fields: Fields): string => String(fields[key]).toLowerCase();
  return fc.uniqueArray(drawn, { maxLength, size: 'max', selector });
}

/** Whatever happened in the runs: without it, they would prove little. */
const COUNTS = ['created', 'updated', 'unchanged', 'deleted', 'withheld', 'unmatched'] as const;
const tally = new Map<string, number>();
const reasons = new Set<string>();

const { numRuns, seed } = random(40);

it(
  'A sync does and reports what the model says',
  async () => {
    const property = fc.asyncProperty(scenario, async (drawn) => {
      const { name, match, seeds, late, max, keep, has, hasDoubts, disturbances } = drawn;
      const { of, owned, values } = SUBJECTS[name];
      const brand = await takeBrand();
      const network = new FaultyNetwork();
      const collection = collectionOf(new BrandClient({ ...brand, fetch: network.fetch }), name);
      const outside = collectionOf(new BrandClient(brand), name);

      const early = await push(outside, seeds.slice(late));
      await pause();
      const readAt = new Date();
      await pause();
      const recent = await push(outside, seeds.slice(0, late));
      const [ids, stored] = [[...early, ...recent], await all(outside.list({}))];
      const model = new ServiceModel(
        of,
        stored.map((resource) => [resource.id, inModel(of, resource)]),
        recent,
      );

      const keys = match === 'id' ? ids : of.isUnique && match === of.key ? CODES : SKUS;
      const ordered = [...seeds.slice(late), ...seeds.slice(0, late)];
      const items = drawn.items.map((item) => {
        if (item === null || typeof item === 'string') return item;
        const { like = -1, key = -1, spelling, fields } = item;
        const resource: Fields = { ...ordered[like], id: ids[like] };
        const own = resource[match];
        const value = typeof own === 'string' ? own : (keys[key] ?? UNKNOWN);
        const spelled = SPELLINGS[spelling]?.(value);
        return { ...(like >= 0 && resource), ...fields, [match]: spelled };
      });
      const isOwned = (resource: Fields): boolean =>
        drawn.ownsAll || resource[owned[0]] === owned[1];
      const isReadNow = late === 0 && max === 'default' && has === undefined && !hasDoubts;
      const [, price = ''] = Object.keys(values);
      const isGone = has === undefined ? undefined : (fields: Fields) => fields[price] !== has;
      const rules: SyncRules = { match, isOwned, max, keep, isGone, hasDoubts };
      const sync = async (dryRun: boolean): Promise<ModelReport> => {
        network.sent.length = 0;
        const confirm =
          isGone &&
          ((asked: readonly AnyResource[]): Promise<string[]> =>
            Promise.resolve(asked.filter(isGone).map(({ id }) => id)));
        const doubts = hasDoubts ? ['It may be incomplete.'] : [];
        const limits = { max: max === 'default' ? undefined : max, readAt, doubts, confirm };
        const options = {
          match,
          keep,
          owned: isOwned,
          // By default, the items are read at the call.
          deleteMissing: max !== undefined && (isReadNow || limits),
        };
        // Executed at once, a plan does what a sync does.
        const isPlanned = drawn.isPlanned && disturbances.length === 0 && !dryRun;
        const report = isPlanned
          ? await planned(collection, asItems(items), options)
          : await executed<AnyResource & Pushed>(collection, asItems(items), {
              ...options,
              dryRun,
            });
        const { changes = [], ...counts } = report;
        const { created, updated, deleted, withheld } = counts;
        if (dryRun) expect(changes).toHaveLength(created + updated + deleted + withheld);
        return comparable(counts);
      };
      // The model does not know the ids of what is created.
      const named = ({ kept, ...others }: ModelReport): ModelReport =>
        comparable({
          ...others,
          kept: kept.map(({ key, reason }) => ({
            key: match === 'id' && !ids.includes(key) ? 'new' : key,
            reason,
          })),
        });
      const expectEqual = async (): Promise<void> => {
        const found = await all(outside.list({}));
        expect(byContent(found.map((one) => inModel(of, one)))).toEqual(
          byContent([...model.resources.values()].map((one) => inModel(of, one))),
        );
      };

      const tried = comparable(model.copy().sync(items, rules));
      expect(await sync(true), 'a dry run').toEqual(tried);
      expect(await all(outside.list({}))).toEqual(stored);

      const changeOf = ({ at, fields }: Disturbance): Change =>
        at === null
          ? { match: of.key, item: fields }
          : { match: 'id', item: { ...fields, id: ids[at] ?? UNKNOWN } };
      let left: readonly Disturbance[] = disturbances;
      let disturbed = Promise.resolve();
      network.after = async ({ method, path, search }) => {
        if (method === 'DELETE' || search.has('updatedSince')) return;
        const now = method === 'POST' ? 'push' : path.endsWith(of.path) ? 'list' : 'look';
        const due = left.filter(({ after }) => after === now);
        left = left.filter(({ after }) => after !== now);
        for (const one of due) {
          const change = changeOf(one);
          const before = disturbed;
          disturbed = before.then(async () => {
            await push(outside, [change.item], change.match);
          });
        }
        // Several resources are looked at and deleted at once.
        await disturbed;
      };
      const expected = model.sync(items, rules, (now) => {
        for (const one of disturbances) {
          if (one.after === now) model.change(changeOf(one));
        }
      });
      expect(await sync(false), 'the run').toEqual(named(expected));
      await expectEqual();
      network.after = () => Promise.resolve();

      if (isReadNow) {
        model.recent.clear();
        await pause();
      }
      const again = model.sync(items, rules);
      expect(named(await sync(false)), 'the second run').toEqual(named(again));
      await expectEqual();
      const { kept, refused, withheld } = expected;
      if (disturbances.length + refused.length + withheld === 0) {
        expect(again).toMatchObject({ created: 0, updated: 0, deleted: 0 });
        if (kept.length === 0 && !drawn.isPlanned)
          expect(network.sent.map(({ method }) => method)).toEqual(['GET']);
      }

      for (const count of COUNTS) tally.set(count, (tally.get(count) ?? 0) + expected[count]);
      tally.set('refused', (tally.get('refused') ?? 0) + refused.length);
      for (const { reason } of kept) reasons.add(reason.replace(/^\d+/, 'n'));
    });
    await fc.assert(property, { numRuns, seed });
    for (const [what, count] of tally) expect(count, what).toBeGreaterThan(0);
    expect(reasons.size, [...reasons].join('; ')).toBeGreaterThanOrEqual(5);
  },
  numRuns * 2000,
);

async function planned(
  collection: SyncCollection,
  items: AnyResource[],
  options: SyncOptions<AnyResource & Pushed, string>,
): Promise<SyncReport> {
  const made = await plan<AnyResource & Pushed>(collection, items, options);
  return made.execute();
}

const LENIENT = { Prefer: 'handling=lenient' };

/** Pushes items leniently, or without a field to match by, creates them. Returns the ids of what was created. */
async function push(
  { transport, names: { path, many } }: SyncCollection,
  items: readonly object[],
  match?: string,
): Promise<string[]> {
  if (items.length === 0) return [];
  const how = match === undefined ? {} : { query: { match }, headers: LENIENT };
  const body = JSON.stringify({ [many]: items });
  const response = await transport.send({ method: 'POST', path, body, ...how });
  return records(record(response.body)[many] ?? []).map(({ id }) => String(id));
}

/** The clocks count milliseconds. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 3));
}

/** The fields of a resource that the model has. */
function inModel({ model }: TestCollection, resource: Fields): Fields {
  return Object.fromEntries(Object.keys(model).map((name) => [name, resource[name]]));
}

/** Sorts resources, because the model does not know the ids of new ones. */
function byContent(resources: readonly Fields[]): string[] {
  return resources.map((resource) => JSON.stringify(Object.entries(resource).sort())).sort();
}

/** A report without its texts of errors and the ids of what is kept, which has no order. */
function comparable({
  kept,
  refused,
  ...counts
}: Omit<SyncReport, 'changes'> | ModelReport): ModelReport {
  return {
    ...counts,
    kept: kept
      .map(({ key, reason }) => ({ key, reason }))
      .sort((one, other) => (one.key + one.reason < other.key + other.reason ? -1 : 1)),
    refused: refused.map(({ index, key }) => ({ index, key })),
  };
}

/** Items as a program without types may send them. */
function asItems(items: readonly unknown[]): AnyResource[] {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- bad items are what is tested
  return items as AnyResource[];
}
