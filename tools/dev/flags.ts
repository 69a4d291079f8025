import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { experimental_getWranglerCommands } from 'wrangler';
import { AdminError } from '../admin/admin-error.ts';
import { explainKeptOptions, optionsKeptByNpm } from '../npm-options.ts';
import { ROOT } from '../wrangler.ts';

/** The flags of `npm run dev`, which it passes on to `wrangler dev`. */
export interface DevFlags {
  /** All flags, including the folder of the database. */
  readonly all: readonly string[];
  /** The flags that select the local database. */
  readonly database: readonly string[];
  readonly config: string | undefined;
  readonly env: string | undefined;
  /** The folder of the local database. */
  readonly folder: string;
  readonly protocol: string | undefined;
  /** The address to listen on, and its port, if they differ from the configuration's. */
  readonly ip: string | undefined;
  readonly port: string | undefined;
}

/**
 * Parses wrangler's flags.
 * @throws AdminError for flags that `npm run dev` does not support
 */
export function readFlags(flags: readonly string[]): DevFlags {
  const keptByNpm = optionsKeptByNpm(namesOfFlags());
  if (keptByNpm.length > 0) throw new AdminError(explainKeptOptions(keptByNpm, 'dev'));
  const { values } = parseArgs({
    args: [...flags],
    strict: false,
    options: {
      config: { type: 'string', short: 'c' },
      env: { type: 'string', short: 'e' },
      'persist-to': { type: 'string' },
      'local-protocol': { type: 'string' },
      ip: { type: 'string' },
      port: { type: 'string' },
      remote: { type: 'boolean', short: 'r' },
    },
  });
  if (values.remote) {
    throw new AdminError(
      'The demo brand needs a local database. To use the deployed one, run npx wrangler dev --remote',
    );
  }
  const [config, env] = [textOf(values.config), textOf(values.env)];
  const kept = textOf(values['persist-to']);
  const folder = resolve(ROOT, kept ?? '.wrangler/state');
  const persist = ['--persist-to', folder];
  return {
    // wrangler's default folder depends on where its configuration is, so pass the folder explicitly.
    all: kept === undefined ? [...flags, ...persist] : flags,
    database: [
      ...persist,
      ...(config === undefined ? [] : ['--config', config]),
      ...(env === undefined ? [] : [`--env=${env}`]),
    ],
    config,
    env,
    folder,
    protocol: textOf(values['local-protocol']),
    ip: textOf(values.ip),
    port: textOf(values.port),
  };
}

/** The flags of `wrangler dev`, as wrangler describes them. */
function namesOfFlags(): string[] {
  const { registry, globalFlags } = experimental_getWranglerCommands();
  const definition = registry.subtree.get('dev')?.definition;
  const flags = definition?.type === 'command' ? definition.args : {};
  return Object.keys({ ...flags, ...globalFlags });
}

function textOf(value: string | boolean | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
