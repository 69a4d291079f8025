import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readContents } from '../build/reference/contents.ts';
import { connectTo } from '../../client/test/connected.ts';
import { inhabit } from './inhabited-brand.ts';
import type { InstalledClient } from '../../client/test/command/installed-client.ts';
import {
  installClient,
  nodes,
  succeed,
  within,
} from '../../client/test/command/installed-client.ts';
import { allDocuments, blocksOf } from '../../test/node/markdown.ts';
import { all } from '../../client/test/outcomes.ts';
import type { TakenBrand } from '../../test/node/pool.ts';
import { takeBrand } from '../../test/node/pool.ts';
import type { Finished } from '../../test/node/processes.ts';
import { run } from '../../test/node/processes.ts';

// The samples in TypeScript of every document and of the reference page are compiled with the packed client, in the folder
// that client/README.md sets up. Those of the documents are run too; reference-samples.test.ts runs those of the page.

const PAGE = 'the reference page';
const README = 'client/README.md';

/** What a document calls its programs, in order. Those of the others have a number. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  [README]: ['example', 'page', 'push', 'sync'],
};

/** With types that say nothing, the comment would be an error. */
const MISTAKE = `
import { BrandClient } from 'brand-integration-client';
const client = new BrandClient({ apiKey: 'k', baseUrl: 'https://api.example.com' });
// @ts-expect-error -- there is no such status
void client.products.list({ syncStatus: 'LOST' });
`;

const documents = allDocuments().filter((file) => programsOf(file).length > 0);

let client: InstalledClient;
let compiled: Finished;

beforeAll(async () => {
  client = await installClient();
  for (const file of documents) await writePrograms(file, programsOf(file));
  await writePrograms(PAGE, await programsOfPage('public/api/brand/v1/openapi.json'));
  const { stdout } = await succeed(process.execPath, 'tools/test/fixture-document.ts');
  const file = join(client.path, 'fixtures.json');
  await writeFile(file, stdout);
  // The client has no method for the operations of test/fixtures.
  const ofFixtures = await programsOfPage(file);
  await writePrograms(
    'fixtures',
    ofFixtures.filter((text) => text.includes(' fetch(')),
  );
  await writePrograms('mistake', [MISTAKE]);
  await addGeneratedClient(folderOf('docs/integrating.md'));
  compiled = await run('tsc', '-p', client.path);
});

afterAll(() => client.remove());

function programsOf(file: string): string[] {
  return blocksOf(file)
    .filter(({ language }) => language === 'ts')
    .map(({ text }) => text);
}

/** @param file the OpenAPI document */
async function programsOfPage(file: string): Promise<string[]> {
  const { guides, sections } = await readContents(file);
  const operations = sections.flatMap((section) => section.operations);
  const codes = [
    ...guides.flatMap(({ samples }) => samples),
    ...operations.flatMap(({ samples }) => samples).flatMap((sample) => sample.codes),
  ];
  return codes.filter(({ language }) => language === 'ts').map(({ text }) => text);
}

/** The folder of a document's programs. */
function folderOf(file: string): string {
  return join(client.path, file.replaceAll(/\W/g, '-'));
}

function nameOf(file: string, at: number): string {
  return NAMES[file]?.[at] ?? `sample-${at}`;
}

async function writePrograms(file: string, programs: readonly string[]): Promise<void> {
  await mkdir(folderOf(file));
  for (const [at, program] of programs.entries()) {
    await writeFile(join(folderOf(file), `${nameOf(file, at)}.ts`), program);
  }
}

/** Puts what a reader generates from the OpenAPI document beside the programs that import it, and what it needs. */
async function addGeneratedClient(folder: string): Promise<void> {
  const document = 'public/api/brand/v1/openapi.json';
  await succeed('openapi-typescript', document, '-o', join(folder, 'openapi.ts'));
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers']) {
    await symlink(resolve('node_modules', name), join(client.path, 'node_modules', name));
  }
}

/** Runs a program of a document, and returns what it printed. */
async function output(
  file: string,
  name: string,
  { apiKey, baseUrl }: TakenBrand,
  node = 'node',
): Promise<string> {
  const variables = [`BRAND_API_KEY=${apiKey}`, `BRAND_API_URL=${baseUrl}`];
  const command = [...variables, node, `${name}.js`];
  return (await succeed(...within(folderOf(file)), ...command)).stdout;
}

it('The samples in TypeScript have no mistakes of type', () => {
  expect([compiled.code, compiled.stdout]).toEqual([0, '']);
});

it.each(documents)(
  'The samples in TypeScript run again and again in every Node, and lose nothing: %s',
  async (file) => {
    const brand = await takeBrand();
    const contents = await inhabit(brand);
    const before = await contents();
    const versions = await nodes();
    expect([...versions.keys()]).toContain(24);
    const names = programsOf(file).map((_, at) => nameOf(file, at));
    for (const node of [...versions.values(), 'node']) {
      for (const name of names) {
        await output(file, name, brand, node);
      }
    }
    expect(await contents()).toEqual(before);
  },
);

it('The samples of client/README.md create, change, push and follow products', async () => {
  const brand = await takeBrand();
  const { products } = connectTo(brand).client;
  const created = /^(?:[\w-]{36} created\n){2}2 changed, 0 deleted\n$/;
  expect(await output(README, 'example', brand)).toMatch(created);
  const [first, second] = await all(products.list());
  expect(first?.priceCents).toBe(1350);
  expect(await output(README, 'push', brand)).toBe(
    `${first?.id ?? ''} updated\n${second?.id ?? ''} deleted\n`,
  );
});

it('The samples of client/README.md give a page only what everybody may see', async () => {
  const brand = await takeBrand();
  const { products } = connectTo(brand).client;
  const [title, priceCents, serviceListingStatus] = ['Rope', 1250, 'LIVE'] as const;
  await products.create({ title, priceCents, serviceListingStatus, marginPercent: 40 });
  await products.create({ title: 'Draft', priceCents: 1 });
  const call = "const { default: page } = await import('./page.js'); await page()";
  await writeFile(
    join(folderOf(README), 'call-page.js'),
    `${call}.then((response) => response.text()).then(console.log);`,
  );
  const shown: unknown = JSON.parse(await output(README, 'call-page', brand));
  expect(shown).toEqual([{ title, priceCents, currencyCode: 'USD', imageUrl: null }]);
});

it('The samples of client/README.md sync a list, and leave nothing behind', async () => {
  const brand = await takeBrand();
  const counts = [...(await output(README, 'sync', brand)).matchAll(/(?:created|deleted): \d/g)];
  expect(counts.map(([count]) => count)).toEqual([
    'created: 2',
    'deleted: 0',
    'created: 0',
    'deleted: 1',
  ]);
  expect(await all(connectTo(brand).client.products.list())).toEqual([]);
});
