import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
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
  /** The address to listen on, and its port, if they differ from the configuration's. */
  readonly ip: string | undefined;
  readonly port: string | undefined;
}

/** The flags that it reads itself. */
const OPTIONS = {
  config: { type: 'string', short: 'c' },
  env: { type: 'string', short: 'e' },
  'persist-to': { type: 'string' },
  'local-protocol': { type: 'string' },
  ip: { type: 'string' },
  port: { type: 'string' },
  remote: { type: 'boolean', short: 'r' },
} as const;

/**
 * Parses wrangler's flags.
 * @throws AdminError for flags that `npm run dev` does not support
 */
export function readFlags(flags: readonly string[]): DevFlags {
  const keptByNpm = optionsKeptByNpm(Object.keys(OPTIONS));
  if (keptByNpm.length > 0) throw new AdminError(explainKeptOptions(keptByNpm, 'dev'));
  const { values } = parseArgs({ args: [...flags], strict: false, options: OPTIONS });
  if (values.remote || values['local-protocol'] === 'https') {
    throw new AdminError(
      'The demo brand needs a local service over HTTP. For another one, run npx wrangler dev.',
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
    ip: textOf(values.ip),
    port: textOf(values.port),
  };
}

function textOf(value: string | boolean | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
