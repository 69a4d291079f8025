import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { endOrphans, listProcesses, orphansAmong } from '../../common/wrangler/orphans.ts';
import { ROOT } from '../../common/wrangler/wrangler.ts';
import { ADMIN, temporaryFolder } from '../../test/node/processes.ts';
import { eventually } from '../../test/support/eventually.ts';

const RUNTIME = `${ROOT}node_modules/@cloudflare/workerd-linux-64/bin/workerd serve --binary`;
const running = { pid: 40, parent: 30, command: RUNTIME };

it.each([
  ['whose command runs', running, []],
  ['that the first process inherited', { ...running, parent: 1 }, [40]],
  ['that the session of the user inherited', { ...running, parent: 20 }, [40]],
  ['of another project', { ...running, parent: 1, command: '/other/workerd serve' }, []],
])(
  'A runtime that nobody waits for is distinguished from others: one %s',
  (_, runtime, expected) => {
    const others = [
      { pid: 1, parent: 0, command: '/sbin/init' },
      { pid: 20, parent: 1, command: '/usr/lib/systemd/systemd --user' },
      { pid: 30, parent: 20, command: 'node node_modules/.bin/brand-admin brand list' },
    ];
    expect(orphansAmong([...others, runtime]).map(({ pid }) => pid)).toEqual(expected);
  },
);

it.each([
  ['node', 'node --import ./tools/quick-start.js tools/dev/dev.ts'],
  ['a node elsewhere', '/usr/local/bin/node tools/dev/dev.ts'],
  ['npm', 'npm run dev'],
])('A runtime of a command that is the first process is left alone: %s', (_, command) => {
  const all = [
    { pid: 1, parent: 0, command },
    { ...running, parent: 1 },
  ];
  expect(orphansAmong(all)).toEqual([]);
});

it('A runtime that a killed command left is ended by the next command', async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const [program, ...words] = ADMIN;
  const command = spawn(program, [...words, 'brand', 'list', '--persist-to', folder.path]);
  const runtime = await eventually(async () => {
    // Beside it runs what has bundled the command.
    const found = (await listProcesses()).find(
      (one) => one.parent === command.pid && one.command.includes('workerd'),
    );
    expect(found).toBeDefined();
    return found?.pid ?? 0;
  });
  command.kill('SIGKILL');
  await once(command, 'exit');
  // An ended process stays in the list until the first process takes note of it.
  const isThere = async (): Promise<boolean> =>
    (await listProcesses()).some(
      ({ pid, command }) => pid === runtime && !command.endsWith('<defunct>'),
    );

  // The commands of other tests do it too, so it may be gone already.
  await endOrphans();
  await eventually(async () => {
    expect(await isThere()).toBe(false);
  });
});
