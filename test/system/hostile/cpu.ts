import { readdir, readFile } from 'node:fs/promises';

/**
 * The process of workerd that runs the Worker under `wrangler dev`. Wrangler starts two in its process group: the
 * other listens on the public port and passes requests on.
 * @param group the process group
 * @param port the public port
 */
export async function workerOf(group: number, port: number): Promise<number> {
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = await readFile(`/proc/${name}/stat`, 'utf8');
      const [, , pgrp] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const command = await readFile(`/proc/${name}/cmdline`, 'utf8');
      const [program = ''] = command.split('\0');
      const isWorkerd = program.endsWith('/workerd') && Number(pgrp) === group;
      if (isWorkerd && !command.includes(`:${port}\0`)) return Number(name);
    } catch {
      // The process has ended.
    }
  }
  throw new Error('There is no process of the Worker.');
}

/** The CPU time that all threads of a process have used, in milliseconds. */
export async function cpuOf(pid: number): Promise<number> {
  let nanoseconds = 0;
  for (const thread of await readdir(`/proc/${pid}/task`)) {
    const [ran] = (await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')).split(' ');
    nanoseconds += Number(ran);
  }
  return nanoseconds / 1e6;
}
