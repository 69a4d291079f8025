import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { median, sum } from 'simple-statistics';
import * as z from 'zod';
import { runWrangler } from '../common/wrangler/wrangler.ts';

export interface Contestant {
  readonly name: string;
  /** The path of its module in the project. */
  readonly module: string;
}

/** This service, as it is deployed. */
export const SERVICE: Contestant = { name: 'service', module: 'src/index.ts' };
export const BARE: Contestant = { name: 'bare', module: 'bench/workers/bare.ts' };
/** The usual design of such services. */
export const USUAL: Contestant = { name: 'usual', module: 'bench/workers/usual.ts' };

/** Options of wrangler for a Worker: those of a deployment. */
const options = ({ module }: Contestant): string[] => [module, '--env='];

/** Returns the JavaScript that wrangler would deploy. */
export async function bundle(contestant: Contestant): Promise<string> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'bench-bundle-'));
  await wrangler('deploy', ...options(contestant), '--dry-run', '--outdir', folder.path);
  const file = basename(contestant.module).replace(/\.ts$/, '.js');
  return await readFile(join(folder.path, file), 'utf8');
}

export function sizes(code: string): { readonly KiB: number; readonly 'KiB in gzip': number } {
  const [bytes, compressed] = [
    new TextEncoder().encode(code).length,
    gzipSync(code, { level: 9 }).length,
  ];
  return { KiB: bytes / 1024, 'KiB in gzip': compressed / 1024 };
}

/** The parts of a V8 CPU profile that are used; times are in microseconds. */
const profileSchema = z.object({
  nodes: z.array(z.object({ id: z.number(), callFrame: z.object({ functionName: z.string() }) })),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});

/**
 * Starts a Worker under wrangler's profiler, and returns the median of the milliseconds in which it was active. The
 * first sample does not count: it covers the time before the profiler started, about 10 ms even for an empty Worker.
 */
export async function startUp(contestant: Contestant, rounds: number): Promise<number> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'bench-start-up-'));
  const file = join(folder.path, 'start.cpuprofile');
  const starts: number[] = [];
  while (starts.length < rounds) {
    const args = `--args=${options(contestant).join(' ')}`;
    await wrangler('check', 'startup', '--outfile', file, args);
    const profile = profileSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    const idle = profile.nodes.find(({ callFrame }) => callFrame.functionName === '(idle)')?.id;
    const active = profile.timeDeltas.filter((_, index) => profile.samples[index] !== idle);
    starts.push(sum(active.slice(1)) / 1000);
  }
  return median(starts);
}

async function wrangler(...args: string[]): Promise<void> {
  const { code, stdout, stderr } = await runWrangler(args);
  if (code !== 0) throw new Error(`wrangler ${args.join(' ')}: ${stdout}${stderr}`);
}
