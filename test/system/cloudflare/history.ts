import { execFileSync } from 'node:child_process';
import { ROOT } from './project.ts';

/**
 * The revision whose code may run on the tables of today while a deployment is under way, or after a rollback: the last
 * release before this state, or, where nothing was released, the state before the newest migration.
 * @returns undefined where the history does not reach so far, as in a shallow clone
 */
export function previousRevision(): string | undefined {
  const released = git('describe', '--tags', '--abbrev=0', '--match=v*', 'HEAD^');
  if (released !== undefined && git('diff', '--name-only', released, '--', 'migrations') !== '') {
    return released;
  }
  if (git('ls-files', '--others', '--', 'migrations') !== '') return 'HEAD';
  const added = git(
    'log',
    '-1',
    '--diff-filter=A',
    '--no-renames',
    '--format=%H',
    '--',
    'migrations',
  );
  const before = git('rev-parse', '--verify', '--quiet', `${added ?? ''}^`);
  // Before the first release the tables may be defined again, instead of changed. Then no code of before can run on them.
  const changed = git('diff', '--name-only', '--diff-filter=a', before ?? '', '--', 'migrations');
  return changed === '' ? before : git('log', '-1', '--format=%H', '--', 'migrations');
}

/** What git prints; undefined where it fails. */
function git(...args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim();
  } catch {
    return undefined;
  }
}
