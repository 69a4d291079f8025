import { readdir, readFile, writeFile } from 'node:fs/promises';
import CDP from 'chrome-remote-interface';
import * as z from 'zod';

/**
 * Returns the CPU time of all threads of a process, in microseconds. Linux counts nanoseconds per thread. The time of a
 * thread that ends is lost, but workerd's threads do not end.
 */
export async function cpuMicroseconds(pid: number): Promise<number> {
  let nanoseconds = 0;
  for (const thread of await readdir(`/proc/${pid}/task`)) {
    const [ran] = (await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')).split(' ');
    nanoseconds += Number(ran);
  }
  return nanoseconds / 1000;
}

/** Returns the memory of a process in MiB: the current use, or the peak since the last call. */
export async function memory(pid: number, which: 'VmRSS' | 'VmHWM' = 'VmRSS'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  return Number(new RegExp(`^${which}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024;
}

const isolates = z.array(z.object({ webSocketDebuggerUrl: z.string() }));

/**
 * Runs the garbage collection in every isolate of a workerd: the service, D1 and the rate limiter.
 * @param inspector the inspector address of one isolate
 * @returns the live heap of that isolate, in MiB
 */
export async function liveHeap(inspector: string): Promise<number> {
  const list = await fetch(new URL('/json', inspector.replace(/^ws/, 'http')));
  const others = isolates.parse(await list.json()).map((isolate) => isolate.webSocketDebuggerUrl);
  let alive = 0;
  for (const target of [...others, inspector]) {
    const isolate = await CDP({ target, local: true });
    // workerd ignores a request to collect garbage, but collects before a heap snapshot.
    await isolate.HeapProfiler.enable();
    await isolate.HeapProfiler.takeHeapSnapshot({ reportProgress: false });
    alive = (await isolate.Runtime.getHeapUsage()).usedSize / 2 ** 20;
    await isolate.close();
  }
  return alive;
}
