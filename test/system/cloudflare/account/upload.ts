import type { V4WorkerOptions } from 'miniflare';
import * as z from 'zod';
import type { Assets } from './assets.ts';
import type { Databases } from './databases.ts';
import { ApiFailure } from './envelope.ts';
import type { Bootable } from './runtime.ts';

const binding = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('d1'), name: z.string(), id: z.string() }),
  z.strictObject({
    type: z.literal('ratelimit'),
    name: z.string(),
    namespace_id: z.string(),
    simple: z.strictObject({ limit: z.number(), period: z.literal([10, 60]) }),
  }),
  z.strictObject({ type: z.literal('assets'), name: z.string() }),
  z.strictObject({
    type: z.literal('workflow'),
    name: z.string(),
    workflow_name: z.string(),
    class_name: z.string(),
  }),
]);

/** How Durable Objects change to new code. This service has none. */
export const codeUpdateStrategy = z.strictObject({
  mode: z.string(),
  max_delay: z.number().optional(),
});

/** What goes with the modules. Strict: a part that this account would not honour must not pass unnoticed. */
const metadata = z.strictObject({
  main_module: z.string(),
  bindings: z.array(binding),
  compatibility_date: z.string(),
  compatibility_flags: z.array(z.string()).optional(),
  assets: z
    .strictObject({
      jwt: z.string(),
      config: z.strictObject({
        run_worker_first: z.array(z.string()),
        _headers: z.string(),
        _redirects: z.string(),
      }),
    })
    .optional(),
  observability: z.strictObject({ enabled: z.boolean() }),
  // Kinds of bindings that an earlier version keeps. This service has none of them: they are set outside of its code.
  keep_bindings: z.array(z.enum(['secret_text', 'secret_key', 'plain_text', 'json'])).optional(),
  code_update_strategy: codeUpdateStrategy.optional(),
  // For Cloudflare's own use, without an effect on what runs.
  package_dependencies: z.unknown().optional(),
});

type Binding = z.infer<typeof binding>;

/** An uploaded version of a Worker. */
export interface Upload {
  readonly bindings: readonly Binding[];
  readonly compatibilityDate: string;
  readonly worker: Bootable;
}

/**
 * Reads an upload: metadata, modules, and the assets that were sent before.
 * @throws ApiFailure if it names what the account has not, or what the stand-in does not know
 */
export async function readUpload(
  form: FormData,
  account: { readonly databases: Databases; readonly assets: Assets },
): Promise<Upload> {
  const parsed = metadata.safeParse(JSON.parse(await textOf(form.get('metadata'))));
  if (!parsed.success) {
    throw new ApiFailure(
      501,
      10021,
      `The stand-in cannot read the metadata: ${z.prettifyError(parsed.error)}`,
    );
  }
  const {
    main_module: main,
    bindings,
    compatibility_date: compatibilityDate,
    compatibility_flags: compatibilityFlags = [],
    assets,
  } = parsed.data;
  for (const bound of bindings) {
    if (bound.type === 'd1' && !account.databases.has(bound.id)) {
      throw new ApiFailure(
        400,
        10181,
        `D1 binding '${bound.name}' references database '${bound.id}' which was not found.`,
      );
    }
  }
  const modules = await modulesOf(form, main);
  const worker: Bootable = {
    modules: modules.map(({ name, contents }) => ({ type: 'ESModule', path: name, contents })),
    modulesRoot: '/',
    compatibilityDate,
    compatibilityFlags,
    ...bindingOptions(bindings),
    ...(assets && {
      assets: {
        directory: await account.assets.layOut(assets.jwt, {
          _headers: assets.config._headers,
          _redirects: assets.config._redirects,
        }),
        run_worker_first: assets.config.run_worker_first,
        routerConfig: { has_user_worker: true },
        ...assetsBinding(bindings),
      },
    }),
  };
  return { bindings, compatibilityDate, worker };
}

async function modulesOf(
  form: FormData,
  main: string,
): Promise<{ name: string; contents: string }[]> {
  const modules: { name: string; contents: string }[] = [];
  for (const [name, part] of form) {
    // Cloudflare reads stack traces with a source map. It is no part of what runs.
    if (name === 'metadata' || isSourceMap(part)) continue;
    if (typeof part === 'string' || part.type !== 'application/javascript+module') {
      throw new ApiFailure(501, 10021, `The stand-in does not know the kind of the part ${name}.`);
    }
    const module = { name, contents: await part.text() };
    // The first one is where workerd begins.
    if (name === main) modules.unshift(module);
    else modules.push(module);
  }
  if (modules[0]?.name !== main) throw new ApiFailure(400, 10021, `No such module: ${main}`);
  return modules;
}

function isSourceMap(part: string | Blob): boolean {
  return typeof part !== 'string' && part.type === 'application/source-map';
}

function bindingOptions(
  bindings: readonly Binding[],
): Pick<V4WorkerOptions, 'd1Databases' | 'ratelimits' | 'workflows'> {
  return {
    d1Databases: Object.fromEntries(
      bindings.flatMap((bound) => (bound.type === 'd1' ? [[bound.name, bound.id]] : [])),
    ),
    workflows: Object.fromEntries(
      bindings.flatMap((bound) =>
        bound.type === 'workflow'
          ? [[bound.name, { name: bound.workflow_name, className: bound.class_name }]]
          : [],
      ),
    ),
    ratelimits: Object.fromEntries(
      bindings.flatMap((bound) =>
        bound.type === 'ratelimit'
          ? [[bound.name, { namespace_id: bound.namespace_id, simple: bound.simple }]]
          : [],
      ),
    ),
  };
}

function assetsBinding(bindings: readonly Binding[]): { binding?: string } {
  const bound = bindings.find(({ type }) => type === 'assets');
  return bound ? { binding: bound.name } : {};
}

async function textOf(part: string | Blob | null): Promise<string> {
  return part === null || typeof part === 'string' ? (part ?? '') : await part.text();
}
