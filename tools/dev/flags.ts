import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { AdminError } from '../admin/admin-error.ts';
import { ROOT } from '../wrangler.ts';

/** What `npm run dev` reads in the flags that it passes on to `wrangler dev`. */
export interface DevFlags {
  /** All of them, with the database's folder written out. */
  readonly all: readonly string[];
  /** Those that say which local database is meant. */
  readonly database: readonly string[];
  readonly config: string | undefined;
  readonly env: string | undefined;
  /** Where the local database lies. */
  readonly folder: string;
  readonly protocol: string | undefined;
}

/**
 * Reads wrangler's own flags.
 * @throws AdminError for those that `npm run dev` cannot honour
 */
export function readFlags(flags: readonly string[]): DevFlags {
  const { values } = parseArgs({
    args: [...flags],
    strict: false,
    options: {
      config: { type: 'string', short: 'c' },
      env: { type: 'string', short: 'e' },
      'persist-to': { type: 'string' },
      'local-protocol': { type: 'string' },
      remote: { type: 'boolean', short: 'r' },
    },
  });
  if (values.remote) {
    throw new AdminError(
      'The demo brand lives in a local database. To run the deployed one: npx wrangler dev --remote',
    );
  }
  const [config, env] = [textOf(values.config), textOf(values.env)];
  const kept = textOf(values['persist-to']);
  const folder = resolve(ROOT, kept ?? '.wrangler/state');
  const persist = ['--persist-to', folder];
  return {
    // wrangler's own folder depends on where its configuration lies: say which is meant.
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
  };
}

function textOf(value: string | boolean | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
