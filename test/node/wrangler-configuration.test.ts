import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { temporaryFolder } from './processes.ts';

it('The export by OpenTelemetry is a block of wrangler.toml that is valid once its comment signs are removed', async () => {
  const text = await readFile('wrangler.toml', 'utf8');
  const block = /^# \[observability\.logs\]\n(?:# .+\n|#\n)+/m.exec(text)?.[0] ?? '';
  const uncommented = text.replace(block, block.replaceAll(/^# ?/gm, ''));
  const folder = await temporaryFolder();
  const config = join(folder.path, 'wrangler.toml');
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  await writeFile(config, uncommented);
  const [logs, traces] = ['otel-logs', 'otel-traces'].map((name) => ({ destinations: [name] }));
  expect(unstable_readConfig({ config })).toMatchObject({ observability: { logs, traces } });
  expect(warn).not.toHaveBeenCalled();
  await writeFile(config, uncommented.replace(/^destinations/m, 'destination'));
  unstable_readConfig({ config });
  expect(warn).toHaveBeenCalledWith(expect.stringMatching(/Unexpected fields/));
  warn.mockRestore();
  await folder.remove();
});
