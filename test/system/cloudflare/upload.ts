import { join } from 'node:path';
import type { V4WorkerOptions } from 'miniflare';
import * as z from 'zod';
import { ROOT } from '../../../tools/wrangler.ts';
import { ApiFailure } from './envelope.ts';

const binding = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('d1'), name: z.string(), id: z.string() }),
  z.strictObject({
    type: z.literal('ratelimit'),
    name: z.string(),
    namespace_id: z.string(),
    simple: z.strictObject({ limit: z.number(), period: z.literal([10, 60]) }),
  }),
  z.strictObject({ type: z.literal('assets'), name: z.string() }),
]);

/** What goes with the modules. Strict: a part that this account would not honour must not pass unnoticed. */
const metadata = z.strictObject({
  main_module: z.string(),
  bindings: z.array(binding),
  compatibility_date: z.string(),
  compatibility_flags: z.array(z.string()).optional(),
  assets: z.strictObject({
    jwt: z.string(),
    config: z.strictObject({
      run_worker_first: z.array(z.string()),
      _headers: z.string(),
      _redirects: z.string(),
    }),
  }),
  observability: z.strictObject({ enabled: z.boolean() }),
  // Without an effect on what runs here.
  keep_bindings: z.array(z.string()).optional(),
  code_update_strategy: z.unknown().optional(),
  package_dependencies: z.unknown().optional(),
});

/**
 * Reads an uploaded Worker, as miniflare runs it.
 * @param hasDatabase whether the account has the database of an id
 * @throws ApiFailure if it names a database that the account does not have, or what the stand-in does not know
 */
export async function readUpload(
  form: FormData,
  hasDatabase: (id: string) => boolean,
): Promise<V4WorkerOptions> {
  const { data, error } = metadata.safeParse(JSON.parse(await textOf(form.get('metadata'))));
  if (data === undefined) throw new ApiFailure(501, 10021, z.prettifyError(error));
  const { bindings, assets } = data;
  const databases: Record<string, string> = {};
  const ratelimits: NonNullable<V4WorkerOptions['ratelimits']> = {};
  for (const bound of bindings) {
    if (bound.type === 'd1') databases[bound.name] = bound.id;
    if (bound.type === 'ratelimit') {
      ratelimits[bound.name] = { namespace_id: bound.namespace_id, simple: bound.simple };
    }
  }
  const unknown = Object.values(databases).find((id) => !hasDatabase(id));
  if (unknown !== undefined) {
    throw new ApiFailure(400, 10181, `D1 database '${unknown}' was not found.`);
  }
  return {
    modules: [
      {
        type: 'ESModule',
        path: data.main_module,
        contents: await textOf(form.get(data.main_module)),
      },
    ],
    modulesRoot: '/',
    compatibilityDate: data.compatibility_date,
    compatibilityFlags: data.compatibility_flags ?? [],
    d1Databases: databases,
    ratelimits,
    assets: {
      // wrangler was told that all files are there already.
      directory: join(ROOT, 'public'),
      run_worker_first: assets.config.run_worker_first,
      routerConfig: { has_user_worker: true },
      binding: bindings.find(({ type }) => type === 'assets')?.name ?? '',
    },
  };
}

async function textOf(part: string | Blob | null): Promise<string> {
  return part === null || typeof part === 'string' ? (part ?? '') : await part.text();
}
