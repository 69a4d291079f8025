import { createHash, randomUUID } from 'node:crypto';
import { unstable_splitSqlQuery as splitSql } from 'wrangler';
import { ApiFailure } from './envelope.ts';
import type { Runtime } from './runtime.ts';

/** D1 refuses a longer statement. */
const LONGEST_STATEMENT = 100_000;

/** A moment to which Time Travel can return. */
interface Moment {
  readonly bookmark: string;
  readonly at: number;
  readonly dump: string;
}

/** A D1 database of the account. */
export interface Database {
  readonly uuid: string;
  readonly name: string;
  readonly jurisdiction: string | null;
  readonly moments: Moment[];
}

/** The D1 databases of an account. miniflare's D1 runs the statements. */
export class Databases {
  readonly #runtime: Runtime;
  readonly #all = new Map<string, Database>();

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** @throws ApiFailure if the name is taken */
  create(name: string, jurisdiction: string | null = null): Database {
    if ([...this.#all.values()].some((database) => database.name === name)) {
      throw new ApiFailure(409, 7502, 'A database with that name already exists');
    }
    const database = { uuid: randomUUID(), name, jurisdiction, moments: [] };
    this.#all.set(database.uuid, database);
    this.#runtime.addDatabase(database.uuid);
    return database;
  }

  list(): Database[] {
    return [...this.#all.values()];
  }

  has(uuid: string): boolean {
    return this.#all.has(uuid);
  }

  /** @throws ApiFailure if there is none */
  find(uuidOrName: string): Database {
    const found =
      this.#all.get(uuidOrName) ?? [...this.#all.values()].find(({ name }) => name === uuidOrName);
    if (found === undefined) {
      throw new ApiFailure(404, 7404, `The database ${uuidOrName} could not be found`);
    }
    return found;
  }

  /**
   * Runs the statements of a text in one transaction, as D1 does for its `query` endpoint and for an import.
   * @throws ApiFailure with SQLite's words; the database is then as it was before
   */
  async run({ uuid }: Database, sql: string): Promise<D1Result[]> {
    const statements = splitSql(sql);
    if (statements.some((statement) => bytesOf(statement) > LONGEST_STATEMENT)) {
      throw new ApiFailure(400, 7500, 'statement too long: SQLITE_TOOBIG');
    }
    const db = await this.#runtime.database(uuid);
    try {
      return await db.batch(statements.map((statement) => db.prepare(statement)));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new ApiFailure(400, 7500, message.replace(/^D1_ERROR: /, ''));
    }
  }

  /** The whole database as SQL. */
  async dump({ uuid }: Database): Promise<string> {
    const db = await this.#runtime.database(uuid);
    // The statement by which miniflare exports, in exactly these words.
    const [lines = []] = await db
      .prepare('PRAGMA miniflare_d1_export(?,?,?);')
      .bind(0, 0)
      .raw<string[]>();
    return lines.join('\n');
  }

  /** The present moment, or the last one before a time (in milliseconds) that this account kept. */
  async moment(database: Database, before?: number): Promise<Moment> {
    if (before !== undefined) {
      const past = database.moments.findLast(({ at }) => at <= before);
      if (past === undefined) throw new ApiFailure(400, 7500, 'No bookmark at that time');
      return past;
    }
    const dump = await this.dump(database);
    const count = (database.moments.length + 1).toString(16).padStart(8, '0');
    const digest = createHash('sha256').update(dump).digest('hex').slice(0, 32);
    const moment = { bookmark: `${count}-00000000-00000000-${digest}`, at: Date.now(), dump };
    database.moments.push(moment);
    return moment;
  }

  /**
   * Goes back to a moment.
   * @returns the moment before, by which the restore is undone
   * @throws ApiFailure for an unknown bookmark
   */
  async restore(database: Database, bookmark: string): Promise<Moment> {
    const target = database.moments.find((moment) => moment.bookmark === bookmark);
    if (target === undefined) throw new ApiFailure(400, 7500, 'Invalid bookmark');
    const before = await this.moment(database);
    const tables = await this.run(
      database,
      `select name from sqlite_master where type = 'table' and name not like 'sqlite%' and name not like '\\_cf%' escape '\\'`,
    );
    const drops = (tables[0]?.results ?? []).map((row) => `drop table "${nameOf(row)}";`);
    await this.run(
      database,
      ['pragma defer_foreign_keys = true;', ...drops, target.dump].join('\n'),
    );
    return before;
  }
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

function nameOf(row: unknown): string {
  return typeof row === 'object' && row !== null && 'name' in row ? String(row.name) : '';
}
