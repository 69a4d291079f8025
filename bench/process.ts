import { readdir, readFile, writeFile } from 'node:fs/promises';

/**
 * How long all threads of a process have run, in microseconds. Linux counts it in nanoseconds for each thread.
 * A thread that ended takes its time along; workerd's threads stay.
 */
export async function cpuMicroseconds(pid: number): Promise<number> {
  let nanoseconds = 0;
  for (const thread of await readdir(`/proc/${pid}/task`)) {
    const [ran] = (await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')).split(' ');
    nanoseconds += Number(ran);
  }
  return nanoseconds / 1000;
}

/** The memory that a process has in use, and the most that it ever had, in MiB. */
export async function memory(pid: number): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const of = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024;
  return { now: of('VmRSS'), peak: of('VmHWM') };
}

/** Has the peak of a process's memory begin anew. */
export async function resetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
}
