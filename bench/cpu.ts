import { readdir, readFile } from 'node:fs/promises';

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
