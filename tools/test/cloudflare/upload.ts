import { join } from 'node:path';
import type { V4WorkerOptions } from 'miniflare';
import * as z from 'zod';
import { ROOT } from '../../../common/wrangler/wrangler.ts';
import { ApiFailure } from './databases.ts';

const binding = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('d1'), name: z.string(), id: z.string() }),
  z.strictObject({
    type: z.literal('ratelimit'),
    name: z.string(),
    namespace_id: z.string(),
    simple: z.strictObject({ limit: z.number(), period: z.literal([10, 60]) }),
  }),
  z.strictObject({ type: z.literal('assets'), name: z.string() }),
  z.strictObject({ type: z.literal('json'), name: z.string(), json: z.json() }),
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
 * @throws ApiFailure if it has what the stand-in does not know
 */
export async function readUpload(form: FormData): Promise<V4WorkerOptions> {
  const { data, error } = metadata.safeParse(JSON.parse(await textOf(form.get('metadata'))));
  if (data === undefined) throw new ApiFailure(501, 10021, z.prettifyError(error));
  const { bindings, assets } = data;
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
    bindings: Object.fromEntries(
      bindings.flatMap((one) => (one.type === 'json' ? [[one.name, one.json]] : [])),
    ),
    d1Databases: Object.fromEntries(
      bindings.flatMap((one) => (one.type === 'd1' ? [[one.name, one.id]] : [])),
    ),
    ratelimits: Object.fromEntries(
      bindings.flatMap((one) => (one.type === 'ratelimit' ? [[one.name, one]] : [])),
    ),
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
