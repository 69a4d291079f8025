import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { note } from '../../common/terminal/note.ts';

/** The file beside a local database that says which server runs on it: its process, and its port. */
const FILE = 'dev-server';

/**
 * Notes that this process serves a folder, and warns if another one does.
 * @returns a function that ends this
 */
export async function noteServer(folder: string, port: number): Promise<() => Promise<void>> {
  const file = join(folder, FILE);
  const [pid = '', other = ''] = (await readFile(file, 'utf8').catch(() => '')).split(' ');
  if (isRunning(Number(pid))) {
    note(
      `warning: Another npm run dev serves the same database on port ${other}. What one writes, the other shows; a busy database answers 503. For a database of its own: npm run dev -- --persist-to FOLDER`,
    );
    return () => Promise.resolve();
  }
  await mkdir(folder, { recursive: true });
  await writeFile(file, `${process.pid} ${port}`);
  return () => rm(file, { force: true });
}

function isRunning(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
