import { cp } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { runWith, temporaryFolder } from '../../test/node/processes.ts';

it('Before npm ci, npm run dev says what to do, with the Node of the machine', async () => {
  const clone = await temporaryFolder();
  for (const part of ['package.json', 'common', 'tools']) {
    await cp(part, join(clone.path, part), { recursive: true });
  }
  const path = process.env['PATH'] ?? '';
  const own = path.split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const script = ['run', '--silent', 'dev', '--prefix', clone.path];
  const ended = await runWith({ PATH: own.join(delimiter) }, 'npm', ...script);
  expect(ended).toEqual({ code: 1, stdout: '', stderr: 'error: Run npm ci first.\n' });
  await clone.remove();
});
