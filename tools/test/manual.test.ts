import { writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { STAND_INS } from '../../client/test/command/stand-ins.ts';
import { BrandClient } from '../../client/src/index.ts';
import { takeBrand } from '../../test/node/pool.ts';
import { runWith, temporaryFolder } from '../../test/node/processes.ts';
import { inhabit } from './inhabited-brand.ts';
import { blocksOf } from '../../test/node/markdown.ts';

// client/README.md is the manual of the command. Its samples run as they are pasted, in the order of the page, by somebody
// whose brand has products of its own, and who has a store of each platform.

/** The samples as one script. Those in Python run where they stand. */
function script(): string {
  const samples = blocksOf('client/README.md').flatMap(({ language, text }) => {
    // A failure before && does not end a script.
    if (language === 'sh') return [text, 'test $? -eq 0'];
    return language === 'python' ? [`python3 - <<'END_OF_SAMPLE'\n${text}\nEND_OF_SAMPLE`] : [];
  });
  return ['set -euo pipefail', ...samples].join('\n');
}

it('The samples of client/README.md work as they are pasted, twice, and change nothing that a store does not have', async () => {
  const brand = await takeBrand();
  const contents = await inhabit(brand);
  // Its store is neither of those that the samples read.
  await new BrandClient(brand).profile.update({ connection: { storeDomain: null } });
  const before = await contents();
  const stores = await Promise.all(Object.values(STAND_INS).map((start) => start(onTestFinished)));
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const file = join(folder.path, 'samples.sh');
  await writeFile(file, script());
  const variables = {
    ...Object.fromEntries(stores.flatMap(({ env }) => Object.entries(env))),
    BRAND_API_KEY: brand.apiKey,
    BRAND_API_URL: brand.baseUrl,
    EXAMPLES: resolve('client/examples'),
    PATH: `${dirname(inject('command'))}:${process.env['PATH'] ?? ''}`,
  };
  for (const run of ['first', 'second']) {
    const { code, stdout, stderr } = await runWith(
      variables,
      'env',
      '-C',
      folder.path,
      'bash',
      file,
    );
    expect(code, `${run}: ${stdout}${stderr}`).toBe(0);
  }
  const after = await contents();
  // The profile has nothing of it: the samples do not record.
  expect(after).toMatchObject(before);
  expect(Object.keys(after).length).toBeGreaterThan(Object.keys(before).length);
});
