import { readFile } from 'node:fs/promises';
import * as z from 'zod';

/** What is read of a CPU profile of V8; times are in microseconds. */
const profileSchema = z.object({
  nodes: z.array(z.object({ id: z.number(), callFrame: z.object({ functionName: z.string() }) })),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});

/** The active time of a start in milliseconds, as `wrangler check startup` reckons it. */
export interface ActiveTime {
  readonly active: number;
  /** What the first sample stands for: itself, and all the time before it in which nothing was sampled. */
  readonly first: number;
}

/** Reads the profile of a start. */
export async function activeTime(file: string): Promise<ActiveTime> {
  const profile = profileSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame.functionName]));
  const deltas = profile.samples.flatMap((id, index) =>
    names.get(id) === '(idle)' ? [] : [(profile.timeDeltas[index] ?? 0) / 1000],
  );
  return {
    active: deltas.reduce((sum, delta) => sum + delta, 0),
    first: deltas[0] ?? 0,
  };
}
