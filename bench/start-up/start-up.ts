import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { median } from 'simple-statistics';
import { runWrangler } from '../../tools/wrangler.ts';
import { config } from '../config.ts';
import { OTHERS } from '../contestants.ts';
import type { StartUpFigures } from '../figures.ts';
import type { ActiveTime } from './profile.ts';
import { activeTime } from './profile.ts';

// How large Workers are when they are deployed, and what it takes to load and start them.

const ROOT = join(import.meta.dirname, '../..');

const CONTESTANTS = [
  { name: 'service', module: 'src/index.ts' },
  ...OTHERS,
  { name: 'counting', module: 'bench/workers/counting.ts' },
] as const;

/**
 * Measures all of them in turns.
 * @param rounds in each of which every one is started once; an odd number
 * @param log is told how far it is
 */
export async function startUp(
  rounds: number,
  log: (text: string) => void,
): Promise<StartUpFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-start-up-'));
  try {
    const workers = [];
    for (const { name, module } of CONTESTANTS) {
      const configuration = await configure(folder, name, module);
      const bundle = await bundleOf(join(folder, name), configuration, module);
      const starts: ActiveTime[] = [];
      workers.push({ name, configuration, bundle, starts });
    }
    for (let round = 1; round <= rounds; round++) {
      for (const { configuration, starts } of workers) {
        starts.push(await start(folder, configuration));
      }
      log(`round ${round} of ${rounds}`);
    }
    return {
      rounds,
      workers: workers.map(({ name, bundle, starts }) => ({
        name,
        bytes: bundle.byteLength,
        gzipBytes: gzipSync(bundle, { level: 9 }).byteLength,
        active: median(starts.map(({ active }) => active)),
        sampled: median(starts.map(({ active, first }) => active - first)),
      })),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Writes what wrangler is to deploy, with what of `wrangler.toml` makes a bundle larger or smaller. */
async function configure(folder: string, name: string, module: string): Promise<string> {
  const file = join(folder, `${name}.json`);
  const { compatibility_date, compatibility_flags, keep_names } = config;
  const main = join(ROOT, module);
  const worker = { name, main, compatibility_date, compatibility_flags, keep_names };
  await writeFile(file, JSON.stringify(worker));
  return file;
}

/** What would be uploaded. */
async function bundleOf(folder: string, configuration: string, module: string): Promise<Buffer> {
  const where = ['--outdir', folder, '--config', configuration];
  await succeed(['deploy', '--dry-run', '--minify', ...where]);
  return readFile(join(folder, basename(module).replace(/ts$/, 'js')));
}

/** Starts a Worker under wrangler's profiler. */
async function start(folder: string, configuration: string): Promise<ActiveTime> {
  const profile = join(folder, 'start.cpuprofile');
  const where = ['--config', configuration, '--outfile', profile];
  await succeed(['check', 'startup', ...where, `--args=--minify --config ${configuration}`]);
  return activeTime(profile);
}

async function succeed(args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await runWrangler(args);
  if (code !== 0) throw new Error(`wrangler ${args.join(' ')}: ${stdout}${stderr}`);
}
