import { createHash, randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import * as z from 'zod';
import type { Database, Databases } from './databases.ts';
import { ApiFailure, success } from './envelope.ts';

const created = z.object({ name: z.string(), jurisdiction: z.optional(z.string()) });
const query = z.strictObject({ sql: z.string() });
const importStep = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('init'), etag: z.string() }),
  z.strictObject({ action: z.literal('ingest'), etag: z.string(), filename: z.string() }),
]);
const exported = z.object({ output_format: z.literal('polling') });

/** The endpoints of D1, below an account. */
export function d1Routes(databases: Databases, files: Files): Hono {
  const routes = new Hono();

  routes.get('/', (c) => {
    const name = c.req.query('name');
    return c.json(
      success(
        databases
          .list()
          .filter((database) => name === undefined || database.name === name)
          .map(shown),
      ),
    );
  });

  routes.post('/', async (c) => {
    const { name, jurisdiction } = created.parse(await c.req.json());
    return c.json(success(shown(databases.create(name, jurisdiction))));
  });

  routes.get('/:database', (c) => c.json(success(shown(databases.find(c.req.param('database'))))));

  routes.post('/:database/query', async (c) => {
    const database = databases.find(c.req.param('database'));
    const { sql } = query.parse(await c.req.json());
    const results = await databases.run(database, sql);
    return c.json(success(results.map((result) => ({ ...result, success: true }))));
  });

  routes.post('/:database/import', async (c) => {
    const database = databases.find(c.req.param('database'));
    const step = importStep.parse(await c.req.json());
    if (step.action === 'init') return c.json(success(files.expect(step.etag)));
    const results = await databases.run(database, files.take(step.filename, step.etag));
    const { bookmark } = await databases.moment(database);
    const meta = {
      ...results.at(-1)?.meta,
      duration: 1,
      rows_read: 0,
      rows_written: results.length,
    };
    return c.json(
      success({
        success: true,
        type: 'import',
        status: 'complete',
        at_bookmark: bookmark,
        messages: [],
        errors: [],
        result: { final_bookmark: bookmark, num_queries: results.length, meta },
      }),
    );
  });

  routes.post('/:database/export', async (c) => {
    const database = databases.find(c.req.param('database'));
    exported.parse(await c.req.json());
    const { bookmark, dump } = await databases.moment(database);
    return c.json(
      success({
        success: true,
        type: 'export',
        status: 'complete',
        at_bookmark: bookmark,
        messages: [],
        result: files.offer(dump),
      }),
    );
  });

  routes.get('/:database/time_travel/bookmark', async (c) => {
    const timestamp = c.req.query('timestamp');
    const database = databases.find(c.req.param('database'));
    const before = timestamp === undefined ? undefined : Date.parse(timestamp);
    return c.json(success({ bookmark: (await databases.moment(database, before)).bookmark }));
  });

  routes.post('/:database/time_travel/restore', async (c) => {
    const database = databases.find(c.req.param('database'));
    const bookmark = c.req.query('bookmark') ?? '';
    const before = await databases.restore(database, bookmark);
    return c.json(success({ bookmark, previous_bookmark: before.bookmark, message: '' }));
  });

  return routes;
}

function shown({ uuid, name, jurisdiction }: Database): object {
  return {
    uuid,
    name,
    jurisdiction,
    version: 'production',
    num_tables: 0,
    file_size: 0,
    created_in_region: 'WEUR',
  };
}

/** The store from which imports are read and exports are fetched, by addresses that are good without a login. */
export class Files {
  readonly #contents = new Map<string, string>();
  readonly #base: () => string;

  /** @param base where the routes below are served */
  constructor(base: () => string) {
    this.#base = base;
  }

  /** Tells where to put a file. */
  expect(etag: string): { filename: string; upload_url: string } {
    const filename = `${etag}.${randomUUID()}.sql`;
    return { filename, upload_url: `${this.#base()}/${filename}` };
  }

  /** @throws ApiFailure unless the file is there, whole */
  take(filename: string, etag: string): string {
    const content = this.#contents.get(filename);
    if (content === undefined || md5(content) !== etag) {
      throw new ApiFailure(400, 7500, `The file ${filename} is not there, or not whole.`);
    }
    return content;
  }

  /** Tells where to fetch a new file. */
  offer(content: string): { filename: string; signed_url: string } {
    const filename = `${randomUUID()}.sql`;
    this.#contents.set(filename, content);
    return { filename, signed_url: `${this.#base()}/${filename}` };
  }

  readonly routes = new Hono()
    .put('/:file', async (c) => {
      const content = await c.req.text();
      this.#contents.set(c.req.param('file'), content);
      c.header('ETag', `"${md5(content)}"`);
      return c.body(null, 200);
    })
    .get('/:file', (c) => c.text(this.#contents.get(c.req.param('file')) ?? '', 200));
}

function md5(content: string): string {
  return createHash('md5').update(content).digest('hex');
}
