import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { reasonOf } from '../../../common/terminal/reason.ts';
import { batchOn } from '../../src/database/open-database.ts';

const texts = z.array(z.string());

/** A Worker that runs a JSON list of statements in the database whose binding is the path. */
export default {
  async fetch(request, databases) {
    const database = databases[new URL(request.url).pathname.slice(1)];
    if (database === undefined) return new Response(null, { status: 404 });
    const statements = z.parse(texts, await request.json()).map((text) => sql.raw(text));
    return batchOn(database, statements).then(
      (measurement) => Response.json(measurement),
      (error: unknown) => Response.json({ error: reasonOf(error) }, { status: 500 }),
    );
  },
} satisfies ExportedHandler<Readonly<Record<string, D1Database>>>;
