import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BrandClient } from '../../client/src/index.ts';
import type { Code } from '../build/reference/code.ts';
import { ORIGIN } from '../build/reference/code.ts';
import type { Contents as PageContents } from '../build/reference/contents.ts';
import { readContents } from '../build/reference/contents.ts';
import type { Contents } from './inhabited-brand.ts';
import { inhabit } from './inhabited-brand.ts';
import { takeBrand } from '../../test/node/pool.ts';
import type { TemporaryFolder } from '../../test/node/processes.ts';
import { runWith, temporaryFolder } from '../../test/node/processes.ts';

// The samples of the reference page, as a reader pastes them. What the clients in them do of failures, redirects and links
// has its own tests: those of the client, and python-client.test.ts. typescript-samples.test.ts compiles those in TypeScript.

const CLIENT = 'brand-integration-client';
const EXAMPLE_ID = '01941f29-7c00-7000-8000-000000000001';

/** The section whose samples run: those of the others are made like them. */
const TRIED = 'Products';

const PYTHON_RUNNER = `
import runpy, sys, traceback
for file in sys.argv[1:]:
    try:
        runpy.run_path(file)
        print(file)
    except Exception:
        traceback.print_exc()
`;

/**
 * What runs files one after the other, though one fails, and prints the name of each that has not. A process for each
 * would take most of the time.
 */
const RUNNERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  sh: [
    'bash',
    '-c',
    'for file in "$@"; do bash "$file" && printf "\\n%s\\n" "$file"; done',
    'bash',
  ],
  ts: [
    'node',
    '--input-type=module',
    '-e',
    'for (const file of process.argv.slice(1)) await import(file).then(() => console.log(file), console.error);',
  ],
  python: ['python3', '-uc', PYTHON_RUNNER],
};

let contents: PageContents;
let folder: TemporaryFolder;

beforeAll(async () => {
  contents = await readContents('public/api/brand/v1/openapi.json');
  folder = await temporaryFolder();
  await installClient();
  await writeFile(join(folder.path, 'brand_api.py'), pythonModule());
  // An error of the service is a failure of curl.
  await writeFile(join(folder.path, '.curlrc'), 'fail-with-body\n');
});

afterAll(() => folder.remove());

/** Makes the client that is in this repository importable by its name, uncompiled: behind a link Node takes TypeScript. */
async function installClient(): Promise<void> {
  const { path } = folder;
  await mkdir(join(path, 'client'));
  await mkdir(join(path, 'node_modules'));
  const manifest = { type: 'module', exports: './index.ts' };
  await writeFile(join(path, 'client/package.json'), JSON.stringify(manifest));
  const source = resolve('client/src/index.ts');
  await writeFile(join(path, 'client/index.ts'), `export * from ${JSON.stringify(source)};\n`);
  await symlink(join(path, 'client'), join(path, 'node_modules', CLIENT));
  await writeFile(join(path, 'package.json'), '{ "type": "module" }');
}

/** The samples of the guides in a language. That of an error comes last, because it may end its process. */
function codesOfGuides(language: string): Code[] {
  const isErrors = ({ id }: { id: string }): boolean => id === 'errors';
  const guides = contents.guides.toSorted((a, b) => Number(isErrors(a)) - Number(isErrors(b)));
  return guides.flatMap(({ samples }) => samples).filter((code) => code.language === language);
}

/** The samples of operations in a language. */
function codesOfOperations(language: string, ofSection?: string): Code[] {
  const sections = contents.sections.filter(({ title }) => title === (ofSection ?? title));
  return sections
    .flatMap(({ operations }) => operations)
    .flatMap(({ samples }) => samples)
    .map(({ title, codes }) => {
      const code = codes.find((one) => one.language === language);
      return code ?? expect.fail(`${title} has no sample in ${language}.`);
    });
}

/** The module that the samples in Python import: a guide has its reader save it. */
function pythonModule(): string {
  const modules = codesOfGuides('python').filter(({ text }) => text.includes('def call('));
  expect(modules).toHaveLength(1);
  return modules[0]?.text ?? '';
}

it.each(Object.entries(RUNNERS))(
  'The samples of the reference do what they say: %s',
  async (language, runner) => {
    const brand = await takeBrand();
    const contents = await inhabit(brand);
    const before = await contents();
    const { products } = new BrandClient(brand);
    const { data } = await products.create({ title: 'Of the samples', priceCents: 1 });
    const operations = codesOfOperations(language, TRIED);
    // A list also follows changes, and a creation also pushes.
    expect(operations.length).toBeGreaterThanOrEqual(8);
    const guides = codesOfGuides(language);
    expect(guides.length).toBeGreaterThanOrEqual(7);
    const codes = [...operations, ...guides];
    const files = codes.map((_, at) => join(folder.path, `${language}-${at}.${language}`));
    for (const [at, { text }] of codes.entries()) {
      const program = text.replaceAll(ORIGIN, brand.baseUrl).replaceAll(EXAMPLE_ID, data.id);
      await writeFile(files[at] ?? '', program);
    }
    const { path } = folder;
    const access = { BRAND_API_URL: brand.baseUrl, BRAND_API_KEY: brand.apiKey };
    const variables = { ...access, CURL_HOME: path, PYTHONPATH: path };
    const { stdout, stderr } = await runWith(variables, ...runner, ...files);
    const ran = stdout.split('\n').filter((line) => files.includes(line));
    // The last one, that of an error, may end its process.
    expect(ran, stdout + stderr).toEqual(expect.arrayContaining(files.slice(0, -1)));
    expect(stdout + stderr).toContain('priceCents: expected an integer');
    // What the reader had is as it was.
    expect(await contents()).toMatchObject(before);
  },
);

it.each(Object.entries(RUNNERS))(
  'The samples of the reference lose nothing of a reader who puts in nothing but the key, run twice: %s',
  async (language, runner) => {
    const brand = await takeBrand();
    const contents = await inhabit(brand);
    const before = await contents();
    const codes = codesOfOperations(language);
    const files = codes.map((_, at) => join(folder.path, `as-shown-${at}.${language}`));
    for (const [at, { text }] of codes.entries()) {
      await writeFile(files[at] ?? '', text.replaceAll(ORIGIN, brand.baseUrl));
    }
    const { path } = folder;
    const access = { BRAND_API_URL: brand.baseUrl, BRAND_API_KEY: brand.apiKey };
    const variables = { ...access, CURL_HOME: path, PYTHONPATH: path };
    const runAll = async (): Promise<Contents> => {
      await runWith(variables, ...runner, ...files);
      return contents();
    };
    const once = await runAll();
    expect(once).toMatchObject(before);
    // A product is created. The brand has the coupon code already.
    expect(Object.keys(once)).toHaveLength(Object.keys(before).length + 1);
    expect(await runAll()).toEqual(once);
  },
);
