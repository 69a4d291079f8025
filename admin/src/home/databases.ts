import { sql } from 'drizzle-orm';
import { apiKeys, brands } from '../../../src/operator.ts';
import { Failure } from '../../../common/failure.ts';
import type { Configuration } from '../database/configuration.ts';
import type { DatabaseTarget } from '../database/target.ts';
import type { OpenDatabase } from '../database/open-database.ts';
import { andAtHome, beingMoved, homesIn, notAtHome } from './home.ts';
import { homesOf, readPlaces } from './places.ts';
import { onDatabases } from '../database/on-databases.ts';
import { checkedId } from '../validation.ts';

/** Opens the database that a command's options name. */
export type DatabaseOpener = (target: DatabaseTarget) => OpenDatabase;

/** Where a brand was found. */
interface Places {
  /** The database where it is at home; undefined if it is in none of them, and only its old keys are left. */
  readonly home: OpenDatabase | undefined;
  /** Further databases that have its row. */
  readonly others: readonly OpenDatabase[];
}

/**
 * The databases of the configuration, as commands open them: all, or that of one brand or key. With one database, nothing
 * of this makes a call.
 */
export class Databases {
  readonly #open: DatabaseOpener;
  readonly configuration: Configuration;
  /** Whether commands have options for several databases. */
  readonly hasSeveral: boolean;
  #used: readonly number[] = [];

  /** @param open opens the database that options name */
  constructor(open: DatabaseOpener, configuration: Configuration) {
    this.#open = open;
    this.configuration = configuration;
    this.hasSeveral = configuration.hasSeveral();
  }

  /** The numbers of the databases that the command used, if there are several. */
  get used(): readonly number[] {
    return this.#used;
  }

  /** Opens all databases, in the order of their numbers. */
  async all(target: DatabaseTarget): Promise<OpenDatabase[]> {
    const numbers = await this.configuration.numbers(target);
    if (numbers.length < 2) return [this.#open(target)];
    this.#used = numbers;
    return numbers.map((number) => {
      const database = this.#open({ ...target, number });
      database.hasPeers = true;
      return database;
    });
  }

  /**
   * Opens the database with this number.
   * @throws Failure if the configuration has none
   */
  async numbered(target: DatabaseTarget, number: number): Promise<OpenDatabase> {
    const all = await this.all(target);
    const found = all.find((one) => one.number === number);
    if (found !== undefined) return this.#use(found);
    throw noDatabase(number, all);
  }

  /** Opens the database with this number as `numbered` does, or all without one. */
  async chosen(target: DatabaseTarget, number?: number): Promise<OpenDatabase[]> {
    return number === undefined ? this.all(target) : [await this.numbered(target, number)];
  }

  /** Opens the database for a new brand: the one with this number, or the smallest of the first one's jurisdiction. */
  async forNewBrand(target: DatabaseTarget, number?: number): Promise<OpenDatabase> {
    if (number !== undefined) return this.numbered(target, number);
    const all = await this.all(target);
    if (all.length === 1) return this.#use(only(all));
    const jurisdictions = await this.configuration.jurisdictions(target);
    const first = jurisdictions.get(only(all).number);
    const same = all.filter((one) => jurisdictions.get(one.number) === first);
    const [smallest] = (await onDatabases(same, readSize)).sort(
      (one, other) => one.bytes - other.bytes || one.brands - other.brands,
    );
    return this.#use(smallest?.database ?? only(all));
  }

  /** Opens the other databases than this one. */
  async others(target: DatabaseTarget, { number }: OpenDatabase): Promise<OpenDatabase[]> {
    const all = await this.all(target);
    const others = all.filter((other) => other.number !== number);
    this.#used = others.length === 0 ? [] : [number];
    return others;
  }

  /**
   * Opens the database where a brand is at home.
   * @throws Failure if there are several, and it is at home in none, or in more than one
   */
  async ofBrand(target: DatabaseTarget, brandId: string): Promise<OpenDatabase> {
    const { home, others } = await this.placesOf(target, brandId);
    if (home !== undefined) return home;
    const places = others.map((database) => ({ database }));
    throw notAtHome(brandId, places);
  }

  /**
   * Opens the databases that have rows of a brand. With one database, that is the one.
   * @throws Failure if there are several, and they do not have the brand, or if it is being moved
   */
  async placesOf(target: DatabaseTarget, brandId: string): Promise<Places> {
    const all = await this.all(target);
    if (all.length === 1) return { home: only(all), others: [] };
    const places = await this.#placesIn(all, brandId);
    // Its home may have been read before it arrived there, and another database after it had left.
    return places.home === undefined ? this.#placesIn(all, brandId) : places;
  }

  /** @throws Failure as `placesOf` does */
  async #placesIn(all: readonly OpenDatabase[], brandId: string): Promise<Places> {
    const places = await readPlaces(all, brandId);
    if (places.length === 0) throw notAtHome(brandId, places);
    const homes = homesOf(places);
    const [home, second] = homes;
    if (second !== undefined) {
      // As the last step of a move has it for a moment.
      const frozen = homes.find(({ frozenAt }) => frozenAt !== null);
      throw frozen?.frozenAt == null
        ? homesIn(brandId, homes)
        : beingMoved(brandId, frozen.frozenAt);
    }
    const others = places.filter((place) => place !== home).map(({ database }) => database);
    return { home: home && this.#use(home.database), others };
  }

  /**
   * Opens the database where the brand of a key is at home.
   * @throws Failure if there are several, and none has the key
   */
  async ofKey(target: DatabaseTarget, keyId: string): Promise<OpenDatabase> {
    const all = await this.all(target);
    if (all.length === 1) return only(all);
    const id = checkedId('key', keyId);
    const found = await onDatabases(all, (database) =>
      database.run(
        sql<{
          brand_id: string;
        }>`select ${apiKeys.brandId} from ${apiKeys} where ${apiKeys.id} = ${id}`,
      ),
    );
    const [key] = found.flatMap(([rows]) => rows);
    if (key === undefined) throw new Failure(`There is no key ${keyId}.`);
    return this.ofBrand(target, key.brand_id);
  }

  #use(database: OpenDatabase): OpenDatabase {
    this.#used = database.hasPeers ? [database.number] : [];
    return database;
  }
}

function only(all: readonly OpenDatabase[]): OpenDatabase {
  const [first] = all;
  if (first === undefined) throw new Failure('wrangler.toml has no database.');
  return first;
}

interface DatabaseSize {
  readonly database: OpenDatabase;
  readonly bytes: number;
  /** How many brands are at home in it. */
  readonly brands: number;
  /** How many brands have left it, and still have their old keys in it. */
  readonly movedAway: number;
}

/** How much a database may hold, in bytes, so that there is room left below D1's 10 GB. */
export const FULL = 8e9;

/** Reads how much a database has: one row for each brand. */
export async function readSize(database: OpenDatabase): Promise<DatabaseSize> {
  const { results, bytes } = await database.measure(
    sql`select count(*) as found, count(*) filter (where true${andAtHome(database, sql`${brands.id}`)}) as brands from ${brands}`,
  );
  const [[row = {}] = []] = results;
  const count = Number(row['brands']);
  return { database, bytes, brands: count, movedAway: Number(row['found']) - count };
}

/** Returns the error for the number of a database that the configuration does not have. */
export function noDatabase(number: number, all: readonly Pick<OpenDatabase, 'number'>[]): Failure {
  const numbers = all.map((one) => one.number).join(', ');
  return new Failure(`There is no database ${number}. wrangler.toml has: ${numbers}.`);
}
