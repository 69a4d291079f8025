import { resolve } from 'node:path';
import { Command } from 'commander';
import { UsageError } from '../../common/failure.ts';
import { harmlessErrors } from '../../common/terminal/printable.ts';
import { ROOT } from '../../common/wrangler/wrangler.ts';

/** The flags that `npm run dev` reads itself. */
interface Options {
  readonly config?: string;
  readonly env?: string;
  /** The address to listen on, and its port, if they differ from the configuration's. */
  readonly ip?: string;
  readonly port?: string;
  readonly persistTo?: string;
  readonly localProtocol?: string;
  readonly remote?: true | string;
}

/** The flags of `npm run dev`, which it passes on to `wrangler dev`. */
export interface DevFlags extends Pick<Options, 'config' | 'env' | 'ip' | 'port'> {
  /** All flags, including the folder of the database. */
  readonly all: readonly string[];
  readonly database: readonly string[];
  readonly folder: string;
}

const program = new Command('npm run dev --')
  .option('-c, --config <path>')
  .option('-e, --env <name>')
  .option('--ip <address>')
  .option('--port <number>')
  .option('--persist-to <dir>')
  .option('--local-protocol <name>')
  .option('-r, --remote [is]')
  // The others are wrangler's, as is its help.
  .allowUnknownOption()
  .allowExcessArguments()
  .helpOption(false)
  .configureOutput(harmlessErrors);

/**
 * Parses wrangler's flags.
 * @throws UsageError for flags that `npm run dev` does not support
 */
export function readFlags(flags: readonly string[]): DevFlags {
  const options = program.parse(flags, { from: 'user' }).opts<Options>();
  const { config, env, port, persistTo, localProtocol, remote } = options;
  if (remote !== undefined || localProtocol === 'https') {
    throw new UsageError(
      'The demo brand needs a local service over HTTP. For another one, run npx wrangler dev.',
    );
  }
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) {
    throw new UsageError(`--port takes a number from 0 to 65535, and not ${JSON.stringify(port)}.`);
  }
  const folder = resolve(ROOT, persistTo ?? '.wrangler/state');
  const persist = ['--persist-to', folder];
  const database = [
    ...persist,
    ...(config === undefined ? [] : ['--config', config]),
    ...(env === undefined ? [] : [`--env=${env}`]),
  ];
  // wrangler's default folder depends on where its configuration is, so pass the folder explicitly.
  const all = persistTo === undefined ? [...flags, ...persist] : flags;
  return { ...options, all, database, folder };
}
