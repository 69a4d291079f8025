import { readFile, writeFile } from 'node:fs/promises';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import wrangler from 'wrangler/package.json' with { type: 'json' };
import * as z from 'zod';
import type { Results } from './figures.ts';
import { resultsSchema } from './figures.ts';

/** Where the figures of the last run of each part are kept. */
const FILE = join(import.meta.dirname, 'results.json');

/** Keeps the figures of one part in the place of those that it had before. */
export async function keep(part: keyof Results, figures: unknown): Promise<void> {
  const results = await allResults();
  const result = { date: new Date().toISOString().slice(0, 10), machine: machine(), figures };
  await writeFile(FILE, `${JSON.stringify({ ...results, [part]: result }, null, 2)}\n`);
}

/** What all parts measured, as far as they were. */
export async function readResults(): Promise<Results> {
  return resultsSchema.parse(await allResults());
}

async function allResults(): Promise<Record<string, unknown>> {
  const text = await readFile(FILE, 'utf8').catch(() => '{}');
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
}

function machine(): string {
  const [cpu] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  return [
    `${cpus().length} × ${cpu?.model.trim() ?? 'unknown CPU'}, ${memory}`,
    `${type()} ${release()}`,
    `wrangler ${wrangler.version}`,
    `Node ${process.versions.node}`,
  ].join(', ');
}
