import { sql } from 'drizzle-orm';
import { moves } from '../../../src/db/tables.ts';
import { countedSince, stateOfBrand } from '../../service-sql.ts';
import type { Execute } from '../execute.ts';
import { inGroups, mergeChunks } from '../pages.ts';
import { unsettled } from './claims.ts';
import type { Fault } from './faults.ts';
import { faultsOf } from './faults.ts';
import type { Place } from './places.ts';
import { placesIn, sightings } from './places.ts';
import { perform } from './repair.ts';

/** A brand with which something is wrong. */
export interface Finding {
  readonly brandId: string;
  readonly brandName: string;
  readonly faults: readonly Fault[];
}

/** How many brands are looked at in one call of each database: D1 refuses a statement above 100,000 bytes. */
const AT_ONCE = 400;

/** How often brands are read until two readings are the same. A brand that never is has a move under way. */
const READINGS = 5;

/** How many steps the repair of a brand may take. */
const MOST_STEPS = 20;

/**
 * Looks for brands that are not at home in exactly one database, and for what else the restore of a database may leave. A
 * move under way is no fault. At no time it holds more than some thousand brands, and the findings of some hundred.
 */
export async function* findFaults(all: readonly Execute[]): AsyncGenerator<Finding> {
  for await (const brandIds of suspects(all)) yield* faultsAmong(all, brandIds);
}

/**
 * Repairs what was found, step by step. After each step, the brand is read again, so that a repair that was interrupted goes
 * on if it is begun again.
 * @returns what is left
 */
export async function repairFaults(
  all: readonly Execute[],
  found: readonly Finding[],
): Promise<Finding[]> {
  let left: readonly Finding[] = found;
  for (let steps = 0; steps < MOST_STEPS && left.some(hasStep); steps++) {
    await inGroups(left.filter(hasStep), async ({ brandId, faults }) => {
      const step = faults.find((fault) => fault.step !== undefined)?.step;
      if (step) await perform(brandId, step, (number) => numbered(all, number));
    });
    left = await faultsOfBrands(
      all,
      found.map(({ brandId }) => brandId),
    );
  }
  return [...left];
}

/** Whether something of it can be repaired. */
export function hasStep({ faults }: Finding): boolean {
  return faults.some(({ step }) => step !== undefined);
}

/** Looks at these brands alone. */
export async function faultsOfBrands(
  all: readonly Execute[],
  brandIds: readonly string[],
): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const some of slices(brandIds)) {
    for await (const finding of faultsAmong(all, some)) found.push(finding);
  }
  return found;
}

async function* faultsAmong(
  all: readonly Execute[],
  brandIds: readonly string[],
): AsyncGenerator<Finding> {
  for (const { brandId, places, before } of await readTwice(all, brandIds)) {
    const pair = unsettled(places);
    const isComplete = pair && (await isCopied(all, brandId, pair));
    const faults = faultsOf(places, { before, isComplete });
    const name = places.find(({ brandName }) => brandName !== undefined)?.brandName;
    if (faults.length > 0) yield { brandId, brandName: name ?? '', faults };
  }
}

/** Returns, some at a time, the ids of the brands that have moved, or that several databases have. */
async function* suspects(all: readonly Execute[]): AsyncGenerator<readonly string[]> {
  const chunks = mergeChunks(all.map(sightings), {
    idOf: ({ brandId }) => brandId,
    isBefore: (one, other) => one.brandId < other.brandId,
  });
  let brand: Sighted | undefined;
  for await (const { items } of chunks) {
    const found: string[] = [];
    for (const item of items) {
      if (item.brandId !== brand?.brandId) {
        if (isSuspect(brand)) found.push(brand.brandId);
        brand = { brandId: item.brandId, times: 0, hasMoved: false };
      }
      if (item.isThere) brand.times += 1;
      brand.hasMoved ||= item.hasMoved;
    }
    yield* slices(found);
  }
  if (isSuspect(brand)) yield [brand.brandId];
}

/** A brand, while the same one of the other databases may follow. */
interface Sighted {
  readonly brandId: string;
  times: number;
  hasMoved: boolean;
}

function isSuspect(brand: Sighted | undefined): brand is Sighted {
  return brand !== undefined && (brand.times > 1 || (brand.times > 0 && brand.hasMoved));
}

function slices(brandIds: readonly string[]): readonly string[][] {
  return Array.from({ length: Math.ceil(brandIds.length / AT_ONCE) }, (_, n) =>
    brandIds.slice(n * AT_ONCE, (n + 1) * AT_ONCE),
  );
}

/** A brand as two readings have found it. */
interface Reading {
  readonly brandId: string;
  readonly places: readonly Place[];
  readonly before: readonly Place[];
}

/**
 * Reads brands in all databases until two readings are the same: all databases were like that at the moment between them.
 * A brand that goes on changing moves: it is left out.
 */
async function readTwice(
  all: readonly Execute[],
  brandIds: readonly string[],
): Promise<readonly Reading[]> {
  const stable: Reading[] = [];
  let left = brandIds;
  let before = await readOnce(all, left);
  for (let reading = 1; reading < READINGS && left.length > 0; reading++) {
    const after = await readOnce(all, left);
    const isSame = (brandId: string): boolean =>
      textOf(before.get(brandId)) === textOf(after.get(brandId));
    for (const brandId of left.filter(isSame)) {
      const [places = [], earlier = []] = [after.get(brandId), before.get(brandId)];
      stable.push({ brandId, places, before: earlier });
    }
    left = left.filter((brandId) => !isSame(brandId));
    before = after;
  }
  return stable;
}

async function readOnce(
  all: readonly Execute[],
  brandIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Place[]>> {
  const found = await inGroups(all, (execute) => placesIn(execute, brandIds));
  return new Map(
    brandIds.map((brandId) => [brandId, found.flatMap((places) => places.get(brandId) ?? [])]),
  );
}

/** What two readings have in common, although the mover is at work. */
function textOf(places: readonly Place[] = []): string {
  return JSON.stringify(places, (name, value: unknown) => (name === 'attempt' ? 0 : value));
}

/** Whether the target of a move that is committed has all that left the source: both have the same, and change no more. */
async function isCopied(
  all: readonly Execute[],
  brandId: string,
  pair: readonly Place[],
): Promise<boolean> {
  const [source, target] = pair.map(({ number }) => numbered(all, number));
  if (source === undefined || target === undefined) return false;
  const [[counted] = []] = await source(sql`select ${countedSince} as since`);
  const state = stateOfBrand(brandId, String(counted?.['since']));
  const move = sql`select ${moves.state} from ${moves} where ${moves.brandId} = ${brandId}`;
  const [here, there] = await inGroups([source, target], async (execute) => {
    const [[row] = []] = await execute(sql`select ${state} as state, (${move}) as move`);
    return row;
  });
  // It may have arrived meanwhile, and have changed since.
  return there?.['move'] !== 'copying' || here?.['state'] === there['state'];
}

function numbered(all: readonly Execute[], number: number): Execute | undefined {
  return all.find(({ database }) => database === number);
}
