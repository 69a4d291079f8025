import { mean } from 'simple-statistics';
import type { LoadFigures } from '../figures.ts';

// Memory is judged twice, at half-time and at the end, each time after a collection: before that, heaps hold what they
// are let hold, and more the longer it runs. What lives in the service's own heap tells of a leak, in bytes a request:
// less than this may be a table that is still being filled.
export const MOST_HEAP_GROWTH = 64;
// The whole process has D1 and the limiter in it, and what the allocator keeps. It may grow by this part.
export const MOST_GROWTH = 0.1;

/** What is left when nothing runs, in MiB. */
export interface Rest {
  readonly requests: number;
  readonly resident: number;
  readonly heap: number;
}

/**
 * The figures of memory.
 * @param samples the memory in use, in MiB, in each second
 * @param before at half-time
 * @param after at the end
 */
export function memoryFigures(
  samples: readonly number[],
  before: Rest,
  after: Rest,
): Pick<LoadFigures, 'resident' | 'heap'> {
  const quarter = samples.length / 4;
  const quarters = [0, 1, 2, 3].map((number) =>
    mean(samples.slice(Math.floor(number * quarter), Math.ceil((number + 1) * quarter))),
  );
  const growth = (after.heap - before.heap) * 2 ** 20;
  return {
    resident: { quarters, before: before.resident, after: after.resident },
    heap: {
      ...{ before: before.heap, after: after.heap },
      growthPerRequest: growth / (after.requests - before.requests),
    },
  };
}

/** Holds the figures against what must be; gives what is not so, in words. */
export function judge({ errors, operations, resident, heap }: LoadFigures): string[] {
  const wrong: string[] = [];
  if (errors > 0) wrong.push(`${errors} errors.`);
  if (!operations.some(({ statuses }) => '429' in statuses)) {
    wrong.push('No request met the limit: the load is too small to say anything about it.');
  }
  if (heap.growthPerRequest > MOST_HEAP_GROWTH) {
    wrong.push(
      `What lives in the heap grew by ${heap.growthPerRequest.toFixed(0)} bytes a request.`,
    );
  }
  if (resident.after > resident.before * (1 + MOST_GROWTH)) {
    wrong.push(
      `workerd grew from ${resident.before.toFixed(0)} to ${resident.after.toFixed(0)} MiB.`,
    );
  }
  return wrong;
}
