import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../../common/wrangler/wrangler.ts';
import type { Finished } from '../../../test/node/processes.ts';
import { runWith, temporaryFolder } from '../../../test/node/processes.ts';

/** A copy of the project, in which a person may type commands and change files as the runbook says. */
export interface Project {
  readonly folder: string;
  /** Types a line into a shell, with nobody to answer questions. */
  readonly type: (line: string) => Promise<Finished>;
  readonly read: (file: string) => Promise<string>;
  readonly write: (file: string, content: string) => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** Copies the project as it stands, changes that are not committed included. */
export async function copyProject(account: Readonly<Record<string, string>>): Promise<Project> {
  const { path, remove } = await temporaryFolder();
  const folder = join(path, 'project');
  const listed = ['ls-files', '-coz', '--exclude-standard'];
  const { stdout } = await promisify(execFile)('git', listed, { cwd: ROOT });
  for (const file of stdout.split('\0').filter((name) => name !== '')) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    // One that is deleted and not yet committed is listed too.
    await cp(join(ROOT, file), join(folder, file)).catch(() => undefined);
  }
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const environment = {
    // Nobody can be asked: where wrangler would, it takes its default.
    CI: 'true',
    NO_COLOR: '1',
    WRANGLER_SEND_METRICS: 'false',
    // No look-up of newer versions.
    WRANGLER_HIDE_BANNER: 'true',
    // No login and no logs of the person whose machine this is.
    XDG_CONFIG_HOME: join(path, 'config'),
    ...account,
  };
  return {
    folder,
    remove,
    type: (line) => runWith(environment, 'env', '-C', folder, 'sh', '-c', line),
    read: (file) => readFile(join(folder, file), 'utf8'),
    write: (file, content) => writeFile(join(folder, file), content),
  };
}
