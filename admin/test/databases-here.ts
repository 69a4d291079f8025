import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import * as z from 'zod';
import type { DatabaseBinding } from '../../src/db/databases.ts';
import { bindingOf } from '../../src/db/databases.ts';
import { bundled } from '../../test/node/workerd.ts';
import { actorOf } from '../src/database/connect.ts';
import type { DatabaseOpener } from '../src/home/databases.ts';
import { explainedFailure } from '../src/database/failures.ts';
import type { Measurement, StatementRunner } from '../src/database/open-database.ts';
import { inline, OpenDatabase } from '../src/database/open-database.ts';

/** The local databases of a folder, in a runtime of this process. */
export interface DatabasesHere {
  /** Opens one for the admin tool. */
  readonly open: DatabaseOpener;
  /** One as the runtime gives it to this process, in which each step of a statement is a call that blocks. */
  readonly d1: (binding: DatabaseBinding) => Promise<D1Database>;
  /** The address of the service on them, if it was asked for. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

const OPERATOR = 'operator';
const SERVICE = 'service';

/** What wrangler makes of a configuration, as far as the databases need it. */
const workerOptions = z.object({
  compatibilityDate: z.string(),
  compatibilityFlags: z.array(z.string()),
  d1Databases: z.record(z.string(), z.object({ id: z.string() })),
});

const measurement: z.ZodType<Measurement> = z.object({
  results: z.array(z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()])))),
  bytes: z.number(),
});
const failure = z.object({ error: z.string() });

/**
 * Opens the databases of a configuration, whose statements a Worker runs in the runtime: outside of it, a test takes three times
 * the CPU.
 * @param folder where `--persist-to` has them
 */
export async function openDatabasesHere(
  folder: string,
  configPath = 'wrangler.toml',
  withService = false,
): Promise<DatabasesHere> {
  const worker = workerOptions.parse(unstable_getMiniflareWorkerOptions(configPath).workerOptions);
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      workers: [
        {
          name: OPERATOR,
          modules: await bundled('admin/test/workers/run-statements.ts'),
          ...worker,
          unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
        },
        ...(withService ? [{ ...(await service()), ...worker }] : []),
      ],
      resourcePersistencePath: join(folder, 'v3'),
    }),
  );
  const address = await miniflare.unsafeGetDirectURL(OPERATOR);
  const runner = (number: number): StatementRunner => {
    const binding = bindingOf(number);
    const url = new URL(binding, address);
    return async (...statements) => {
      const body = JSON.stringify(statements.map(inline));
      const response = await fetch(url, { method: 'POST', body });
      const answer: unknown = await response.json();
      if (response.ok) return measurement.parse(answer);
      throw explainedFailure(new Error(failure.parse(answer).error), binding);
    };
  };
  return {
    open: ({ number = 0, actor }) => new OpenDatabase(runner(number), actorOf({ actor }), number),
    d1: (binding) => miniflare.getD1Database(binding, OPERATOR),
    url: withService ? String(await miniflare.unsafeGetDirectURL(SERVICE)) : '',
    close: () => miniflare.dispose(),
  };
}

async function service() {
  const limit = (id: string) => ({
    namespace_id: id,
    simple: { limit: 1000, period: 10 as const },
  });
  return {
    name: SERVICE,
    modules: await bundled('src/index.ts'),
    ratelimits: { KEY_RATE_LIMIT: limit('1'), FAILURE_RATE_LIMIT: limit('2') },
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
  };
}
