import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrandClient } from '../../client/src/index.ts';
import { blocksOf } from './markdown.ts';
import { runWith, temporaryFolder } from './processes.ts';
import type { SharedServer } from './shared-server.ts';
import { shareServer } from './shared-server.ts';

// The samples that follow changes in a shell, for a brand whose products do not fit on one page.

const COUNT = 300;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: SharedServer;

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await shareServer();
});

afterAll(async () => {
  await server.stop();
  await folder.remove();
});

/** The commands of a document that prepare requests, and those that follow changes. */
function scriptOf(file: string): string {
  const texts = blocksOf(file)
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text)
    .filter((text) => /^api\(\)|^SINCE=/m.test(text));
  expect(texts).toHaveLength(2);
  return `set -euo pipefail\n${texts.join('\n')}`;
}

describe('Following changes in a shell', () => {
  it.each([
    { file: 'README.md', changed: 0, isDeleted: true },
    { file: 'docs/integrating.md', changed: 1, isDeleted: false },
  ])('reports the last change, as $file shows it', async ({ file, changed, isDeleted }) => {
    const apiKey = await server.newBrand();
    const baseUrl = `http://127.0.0.1:${server.port}`;
    const { products } = new BrandClient({ apiKey, baseUrl });
    const items = Array.from({ length: COUNT }, (_, index) => ({
      title: `Rope ${index}`,
      priceCents: 1250,
    }));
    const { id } = (await products.createMany(items))[0] ?? { id: '' };
    const script = join(folder.path, 'follow.sh');
    await writeFile(script, scriptOf(file));
    const { code, stdout, stderr } = await runWith(
      { BRAND_API_URL: baseUrl, BRAND_API_KEY: apiKey, ID: id },
      ...(['timeout', '30', 'bash', script] as const),
    );
    expect(code, stderr).toBe(0);
    const lines = stdout.trim().split('\n');
    expect(lines.slice(0, 2)).toEqual([
      '{"changed":250,"deletedProductIds":[]}',
      '{"changed":50,"deletedProductIds":[]}',
    ]);
    const last: unknown = JSON.parse(lines.at(-1) ?? '');
    expect(last).toEqual({ changed, deletedProductIds: isDeleted ? [id] : [] });
  });
});
