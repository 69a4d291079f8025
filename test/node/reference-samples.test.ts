import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Code } from '../../tools/build/reference/code.ts';
import { ORIGIN } from '../../tools/build/reference/code.ts';
import type { Contents } from '../../tools/build/reference/contents.ts';
import { readContents } from '../../tools/build/reference/contents.ts';
import type { Finished, TemporaryFolder } from './processes.ts';
import { run, runWith, temporaryFolder } from './processes.ts';
import type { SharedServer } from './shared-server.ts';
import { shareServer } from './shared-server.ts';

// The samples of the reference page, as a reader pastes them. What the clients in them do of failures, redirects and links
// has its own tests: those of the client, and python-client.test.ts.

const CLIENT = 'brand-integration-client';
const EXAMPLE_ID = '01941f29-7c00-7000-8000-000000000001';
const COMMANDS: Readonly<Record<string, string>> = { sh: 'bash', ts: 'node', python: 'python3' };

let contents: Contents;
let folder: TemporaryFolder;
let server: SharedServer;

beforeAll(async () => {
  contents = await readContents('public/api/brand/v1/openapi.json');
  folder = await temporaryFolder();
  server = await shareServer();
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

const codesOfGuides = (): Code[] => contents.guides.flatMap(({ samples }) => samples);

const codesOfOperations = (): Code[] =>
  [...contents.samples.values()].flat().flatMap(({ codes }) => codes);

/** The module that the samples in Python import: a guide has its reader save it. */
function pythonModule(): string {
  const modules = codesOfGuides().filter(({ text }) => text.includes('def call('));
  expect(modules).toHaveLength(1);
  return modules[0]?.text ?? '';
}

/** The section whose samples run: those of the others are made like them. */
const TRIED = 'Products';

let files = 0;

/** Runs a sample, with the address of the page, and the id of a resource that there is. */
async function runSample({ language, text }: Code, key: string, id?: string): Promise<Finished> {
  const origin = `http://localhost:${server.port}`;
  const addressed = text.replaceAll(ORIGIN, origin);
  const program = id === undefined ? addressed : addressed.replaceAll(EXAMPLE_ID, id);
  const variables = { BRAND_API_URL: origin, BRAND_API_KEY: key, CURL_HOME: folder.path };
  const file = join(folder.path, `sample-${++files}.${language === 'ts' ? 'js' : language}`);
  // Node would do the same, after it has loaded a compiler in each process.
  await writeFile(file, language === 'ts' ? stripTypeScriptTypes(program) : program);
  return runWith(variables, COMMANDS[language] ?? '', file);
}

describe.each(Object.keys(COMMANDS))('the samples in %s', (language) => {
  let key: string;

  beforeAll(async () => {
    key = await server.newBrand();
  });

  /** The id of the first resource of a collection, which a sample before has created. */
  async function firstId(path: string): Promise<string> {
    const [collection = ''] = path.split('/{');
    const response = await fetch(`http://localhost:${server.port}${collection}?limit=1`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    const body: unknown = await response.json();
    const list = z.record(z.string(), z.array(z.object({ id: z.string() }))).parse(body);
    return Object.values(list)[0]?.[0]?.id ?? '';
  }

  it('of all operations do what they say', async () => {
    let count = 0;
    const sections = contents.sections.filter(({ title }) => title === TRIED);
    for (const { id, path } of sections.flatMap(({ operations }) => operations)) {
      for (const { title, codes } of contents.samples.get(id) ?? []) {
        const code = codes.find((one) => one.language === language);
        if (code === undefined) throw new Error(`${title} has no sample in ${language}.`);
        const resource = path.includes('{') ? await firstId(path) : undefined;
        const { code: status, stdout, stderr } = await runSample(code, key, resource);
        expect(status, `${id}, ${title}: ${code.text}\n${stdout}${stderr}`).toBe(0);
        count++;
      }
    }
    // A list also follows changes, and a creation also pushes.
    expect(count).toBe(8);
  });

  it('of all guides do what they say', async () => {
    let count = 0;
    for (const { id, samples } of contents.guides) {
      for (const code of samples) {
        if (code.language !== language) continue;
        const { code: status, stdout, stderr } = await runSample(code, key);
        if (id === 'errors') expect(stdout + stderr).toContain('priceCents: expected an integer');
        else expect(status, `${code.text}\n${stdout}${stderr}`).toBe(0);
        count++;
      }
    }
    expect(count).toBeGreaterThanOrEqual(7);
  });
});

it('the samples in Python begin with the call', () => {
  for (const { language, text } of codesOfOperations()) {
    if (language !== 'python') continue;
    expect(text).toMatch(
      /^from brand_api import (call|pages)\n\n(body, headers = call|for page in pages)\(/,
    );
  }
});

it('the samples in TypeScript have no mistakes of type', async () => {
  const programs = [...codesOfGuides(), ...codesOfOperations()].filter(
    ({ language }) => language === 'ts',
  );
  const typed = join(folder.path, 'typed');
  await mkdir(typed);
  await Promise.all(programs.map(({ text }, index) => writeFile(join(typed, `${index}.ts`), text)));
  const configuration = {
    extends: resolve('tsconfig.json'),
    compilerOptions: {
      types: ['node'],
      // As in most projects.
      noPropertyAccessFromIndexSignature: false,
      typeRoots: [resolve('node_modules/@types')],
      paths: { [CLIENT]: [resolve('client/src/index.ts')] },
    },
    include: ['.'],
    exclude: [],
  };
  await writeFile(join(typed, 'tsconfig.json'), JSON.stringify(configuration));
  const { code, stdout } = await run('tsc', '--noEmit', '--project', typed);
  expect(code, stdout).toBe(0);
});
