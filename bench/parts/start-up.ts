import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, sum } from 'simple-statistics';
import * as z from 'zod';
import { runWrangler } from '../../tools/wrangler.ts';
import type { Outcome } from '../report.ts';
import { log } from '../report.ts';
import { OTHERS } from '../servers.ts';

/** The designs that use drizzle's own SQL, which the alias in wrangler.toml keeps out of the service's bundle. */
const WITH_DRIZZLE = '--alias=../../sql/sql.js:./node_modules/drizzle-orm/sql/sql.js';

const CONTESTANTS = [
  { name: 'service', what: ['src/index.ts'] },
  ...OTHERS.map(({ name, module }) => ({ name, what: [module, WITH_DRIZZLE] })),
];

/** The parts of a V8 CPU profile that are used; times are in microseconds. */
const profileSchema = z.object({
  nodes: z.array(z.object({ id: z.number(), callFrame: z.object({ functionName: z.string() }) })),
  ...{ samples: z.array(z.number()), timeDeltas: z.array(z.number()) },
});

/** Measures the size of Workers as deployed, and the time that they take to load and start. */
export async function startUp(quick: boolean): Promise<Outcome> {
  const rows = [];
  for (const { name, what } of CONTESTANTS) {
    const { stdout } = await wrangler('deploy', ...what, '--dry-run', '--minify', '--env=');
    const [, size, gzip] = /Total Upload: ([\d.]+) KiB \/ gzip: ([\d.]+) KiB/.exec(stdout) ?? [];
    const starts: number[] = [];
    while (starts.length < (quick ? 1 : 9)) starts.push(await start(what));
    rows.push({
      ...{ Worker: name, KiB: Number(size), 'KiB in gzip': Number(gzip) },
      'start-up ms': median(starts),
    });
    log(name);
  }
  return { tables: [{ title: 'Size and start-up', rows }], wrong: [] };
}

/**
 * Starts a Worker under wrangler's profiler.
 * @param what its module, and options of the bundler
 * @returns the milliseconds of activity, without the first sample: it covers the time before the profiler started,
 *   about 10 ms even for an empty Worker
 */
async function start(what: readonly string[]): Promise<number> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'bench-start-up-'));
  const file = join(folder.path, 'start.cpuprofile');
  await wrangler('check', 'startup', '--outfile', file, `--args=${what.join(' ')} --minify --env=`);
  const profile = profileSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  const idle = profile.nodes.find(({ callFrame }) => callFrame.functionName === '(idle)')?.id;
  const active = profile.timeDeltas.filter((_, index) => profile.samples[index] !== idle);
  return sum(active.slice(1)) / 1000;
}

async function wrangler(...args: string[]): ReturnType<typeof runWrangler> {
  const finished = await runWrangler(args);
  if (finished.code === 0) return finished;
  throw new Error(`wrangler ${args.join(' ')}: ${finished.stdout}${finished.stderr}`);
}
