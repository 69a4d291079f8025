import { cp } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import type { Finished, TemporaryFolder } from './processes.ts';
import { runWith, temporaryFolder } from './processes.ts';

// A fresh clone, in which somebody runs a script before `npm ci`, with the Node of the machine.

const SENTENCE = 'error: Run npm ci first.\n';

/** The scripts for people. The others install packages themselves. */
const scripts = Object.keys(manifest.scripts).filter((name) => !name.endsWith(':install'));

let clone: TemporaryFolder;

beforeAll(async () => {
  clone = await temporaryFolder();
  for (const part of ['package.json', 'tools', 'client/package.json']) {
    await cp(part, join(clone.path, part), { recursive: true });
  }
});

afterAll(() => clone.remove());

/** Runs npm without the programs that `npm ci` installed here. */
function npm(...args: readonly string[]): Promise<Finished> {
  const path = process.env['PATH'] ?? '';
  const own = path.split(delimiter).filter((folder) => !folder.includes('node_modules'));
  return runWith({ PATH: own.join(delimiter) }, 'npm', ...args);
}

describe('Before npm ci', () => {
  it.each(scripts)('npm run %s says what to do', async (script) => {
    const ended = await npm('run', '--silent', script, '--prefix', clone.path);
    expect(ended).toEqual({ code: 1, stdout: '', stderr: SENTENCE });
  });

  it('npm pack ./client says what to do', async () => {
    const { code, stderr } = await npm('pack', '--silent', join(clone.path, 'client'));
    expect([code, stderr]).toEqual([1, SENTENCE]);
  });
});
