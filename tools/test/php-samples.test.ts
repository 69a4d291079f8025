import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { BrandClient } from '../../client/src/index.ts';
import { all } from '../../client/test/outcomes.ts';
import { takeBrand } from '../../test/node/pool.ts';
import type { Finished, TemporaryFolder } from '../../test/node/processes.ts';
import { runWith, temporaryFolder } from '../../test/node/processes.ts';
import { blocksOf } from '../../test/node/markdown.ts';

// The sample of client/README.md that sends products from PHP.

const [sample = ''] = blocksOf('client/README.md')
  .filter(({ language }) => language === 'php')
  .map(({ text }) => text);

let folder: TemporaryFolder;

beforeAll(async () => {
  folder = await temporaryFolder();
});

afterAll(() => folder.remove());

/** Runs the sample with other items. */
async function sync(items: string): Promise<Finished & { readonly titles: string[] }> {
  const { apiKey, baseUrl } = await takeBrand();
  const file = join(folder.path, 'sample.php');
  await writeFile(file, sample.replace(/^\$items = .*$/m, () => items).replace(' --dry-run', ''));
  const variables = {
    BRAND_API_KEY: apiKey,
    BRAND_API_URL: baseUrl,
    PATH: `${dirname(inject('command'))}:${process.env['PATH'] ?? ''}`,
  };
  const finished = await runWith(variables, 'php', file);
  const products = await all(new BrandClient({ apiKey, baseUrl }).products.list());
  return { ...finished, titles: products.map(({ title }) => title) };
}

it('The sample in PHP sends its items', async () => {
  const [items = ''] = /^\$items = .*$/m.exec(sample) ?? [];
  expect(await sync(items)).toMatchObject({ code: 0, titles: ['Yoga Mat'] });
});

it('The sample in PHP sends a list from which one was taken out', async () => {
  const items = `$items = [['sku' => 'A', 'title' => 'A', 'priceCents' => 1],
      ['sku' => 'B', 'title' => 'B', 'priceCents' => 1]]; unset($items[0]);`;
  expect(await sync(items)).toMatchObject({ code: 0, titles: ['B'] });
});

it('The sample in PHP sends nothing if a text is not UTF-8, and says why', async () => {
  const items = `$items = [['sku' => 'A', 'title' => "M\\xfcsli", 'priceCents' => 1]];`;
  const { code, stdout, stderr, titles } = await sync(items);
  expect([code, titles]).toEqual([255, []]);
  expect(stdout + stderr).toContain('Malformed UTF-8');
});
