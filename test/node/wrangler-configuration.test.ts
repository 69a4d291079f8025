import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runWrangler } from '../../tools/wrangler.ts';
import { usableElsewhere } from './configuration.ts';
import { temporaryFolder } from './processes.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder();
});

afterAll(() => folder.remove());

/** Returns wrangler's output for a dry run with a configuration. */
async function dryRun(text: string): Promise<string> {
  const file = join(folder.path, 'wrangler.toml');
  await writeFile(file, text);
  const target = ['--config', file, '--outdir', join(folder.path, 'out'), '--env', ''];
  const { code, stdout, stderr } = await runWrangler(['deploy', '--dry-run', ...target]);
  expect(code, stderr).toBe(0);
  return stdout + stderr;
}

describe('the export by OpenTelemetry', () => {
  it('is a block of wrangler.toml that is valid once its comment signs are removed', async () => {
    const text = usableElsewhere(await readFile('wrangler.toml', 'utf8'));
    const block = /^# \[observability\.logs\]\n(?:# .+\n|#\n)+/m.exec(text)?.[0] ?? '';
    expect(block).toContain('[observability.traces]');
    expect(block.match(/^# destinations = \["[a-z-]+"\]$/gm)).toHaveLength(2);

    const uncommented = text.replace(block, block.replaceAll(/^# ?/gm, ''));
    const said = await dryRun(uncommented);
    expect(said).toContain('--dry-run: exiting now.');
    // wrangler warns about unknown fields.
    expect(said).not.toMatch(/warning|unexpected/i);
    const misspelt = uncommented.replace(/^destinations/m, 'destination');
    expect(await dryRun(misspelt)).toMatch(/unexpected/i);
  });
});
