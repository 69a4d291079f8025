import { randomUUID } from 'node:crypto';
import { splitAsCloudflare } from './split-sql.ts';

/** What Cloudflare's API refuses, with its own status and code: wrangler tells cases apart by the code. */
export class ApiFailure extends Error {
  readonly status: 400 | 403 | 404 | 409 | 501;
  readonly code: number;

  constructor(status: ApiFailure['status'], code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export interface Database {
  readonly uuid: string;
  readonly name: string;
  readonly jurisdiction: string | null;
}

export class Databases {
  readonly #open: (uuid: string) => Promise<D1Database>;
  readonly #all: Database[] = [];

  /** @param open opens the database that has an id */
  constructor(open: (uuid: string) => Promise<D1Database>) {
    this.#open = open;
  }

  /** @throws ApiFailure if the name is taken */
  create(name: string, jurisdiction: string | null = null): Database {
    if (this.#all.some((database) => database.name === name)) {
      throw new ApiFailure(409, 7502, 'A database with that name already exists');
    }
    const database = { uuid: randomUUID(), name, jurisdiction };
    this.#all.push(database);
    return database;
  }

  /** @throws ApiFailure if there is none */
  find(uuidOrName: string): Database {
    const found = this.#all.find(({ uuid, name }) => [uuid, name].includes(uuidOrName));
    if (found === undefined) throw new ApiFailure(404, 7404, `There is no database ${uuidOrName}`);
    return found;
  }

  /**
   * Runs the statements of a text in one transaction, as D1 does for its `query` endpoint.
   * @throws ApiFailure with D1's words; the database is then as it was before
   */
  async run(uuidOrName: string, sql: string): Promise<D1Result[]> {
    const db = await this.#open(this.find(uuidOrName).uuid);
    try {
      return await db.batch(splitAsCloudflare(sql).map((statement) => db.prepare(statement)));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new ApiFailure(400, 7500, message.replace(/^D1_ERROR: /, ''));
    }
  }

  async hasTable(name: string, table: string): Promise<boolean> {
    const [found] = await this.run(name, `select 1 from sqlite_master where name = '${table}'`);
    return found?.results.length === 1;
  }
}
