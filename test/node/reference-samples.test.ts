import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import { join, resolve } from 'node:path';
import { beforeAll, afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Code } from '../../tools/build/reference/code.ts';
import { ORIGIN } from '../../tools/build/reference/code.ts';
import type { Contents } from '../../tools/build/reference/contents.ts';
import { readContents } from '../../tools/build/reference/contents.ts';
import { collections } from '../../src/resources/registry.ts';
import { documentedOperations } from '../support/document.ts';
import { freePort, run, runWith, temporaryFolder } from './processes.ts';
import type { Ended } from './python.ts';
import { Python } from './python.ts';
import type { SharedServer } from './shared-server.ts';
import { shareServer } from './shared-server.ts';

const CLIENT = 'brand-integration-client';
const EXAMPLE_ID = '01941f29-7c00-7000-8000-000000000001';

const LANGUAGES = ['sh', 'ts', 'python'];

let contents: Contents;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: SharedServer;
let python: Python;

beforeAll(async () => {
  contents = await readContents('public/api/brand/v1/openapi.json');
  folder = await temporaryFolder();
  server = await shareServer();
  python = await Python.start(folder.path);
  await installClient();
  await writeFile(join(folder.path, 'brand_api.py'), pythonModule());
  // An error of the service is a failure of curl.
  await writeFile(join(folder.path, '.curlrc'), 'fail-with-body\n');
});

afterAll(async () => {
  await python.stop();
  await folder.remove();
});

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

/** The module that the samples in Python import: the guide has its reader save it. */
function pythonModule(): string {
  const [module, ...others] = samplesOfGuides('python', 'start').filter(({ text }) =>
    text.includes('def call('),
  );
  expect(others).toEqual([]);
  return module?.text ?? '';
}

let files = 0;

/** Runs a sample as a reader does who has pasted it, with the address of the page. */
async function runSample(
  { language, text }: Code,
  key: string,
  id?: string,
  port = server.port,
): Promise<Ended> {
  const origin = `http://localhost:${port}`;
  const addressed = text.replaceAll(ORIGIN, origin);
  const program = id === undefined ? addressed : addressed.replaceAll(EXAMPLE_ID, id);
  const variables = { BRAND_API_URL: origin, BRAND_API_KEY: key, CURL_HOME: folder.path };
  if (language === 'python') return python.run(program, variables);
  const file = join(folder.path, `sample-${++files}.${language === 'sh' ? 'sh' : 'js'}`);
  // Node would do the same, after it has loaded a compiler in each process.
  await writeFile(file, language === 'sh' ? program : stripTypeScriptTypes(program));
  const command = language === 'sh' ? 'bash' : 'node';
  const { code, stdout, stderr } = await runWith(variables, command, file);
  return { code, output: stdout + stderr };
}

/** The samples of the guides in a language, or of one of them. */
function samplesOfGuides(language: string, guide?: string): Code[] {
  const guides = contents.guides.filter(({ id }) => guide === undefined || id === guide);
  return guides.flatMap(({ samples }) => samples).filter((code) => code.language === language);
}

/**
 * A sample of each kind: all of the guides, which are written by hand, and those of one collection. Those of the others
 * are made like these, method by method.
 */
function samplesIn(language: string): Code[] {
  const [{ operations } = { operations: [] }] = contents.sections.filter(
    ({ title }) => title === 'Products',
  );
  const samples = operations.flatMap(({ id }) => contents.samples.get(id) ?? []);
  const codes = samples.flatMap((sample) => sample.codes);
  return [...samplesOfGuides(language), ...codes.filter((code) => code.language === language)];
}

/** Runs samples against a server that is not the service. */
async function withServer(
  answer: RequestListener,
  work: (port: number) => Promise<void>,
): Promise<void> {
  const port = await freePort();
  const other = createServer(answer).listen(port);
  await once(other, 'listening');
  try {
    await work(port);
  } finally {
    other.closeAllConnections();
    other.close();
  }
}

describe.each(LANGUAGES)('the samples in %s', (language) => {
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
    for (const { operations } of contents.sections) {
      for (const { id, path } of operations) {
        for (const { title, codes } of contents.samples.get(id) ?? []) {
          const code = codes.find((one) => one.language === language);
          if (code === undefined) throw new Error(`${title} has no sample in ${language}.`);
          const resource = path.includes('{') ? await firstId(path) : undefined;
          const { code: status, output } = await runSample(code, key, resource);
          expect(status, `${id}, ${title}: ${code.text}\n${output}`).toBe(0);
          count++;
        }
      }
    }
    // A list also follows changes, and a creation also pushes.
    expect(count).toBe(documentedOperations.length + 2 * collections.length);
  });

  it('of all guides do what they say', async () => {
    let count = 0;
    for (const { id } of contents.guides) {
      for (const code of samplesOfGuides(language, id)) {
        const { code: status, output } = await runSample(code, key);
        if (id === 'errors') expect(output).toContain('priceCents: expected an integer');
        else expect(status, `${code.text}\n${output}`).toBe(0);
        count++;
      }
    }
    expect(count).toBeGreaterThanOrEqual(7);
  });
});

describe('the samples', () => {
  it.each(LANGUAGES)('in %s follow no redirect', async (language) => {
    let arrived = 0;
    const redirects: RequestListener = (request, response) => {
      const isElsewhere = request.url === '/elsewhere';
      if (isElsewhere) arrived++;
      const Location = `http://127.0.0.1:${request.socket.localPort ?? 0}/elsewhere`;
      if (isElsewhere) response.end('{}');
      else response.writeHead(302, { Location }).end();
    };
    await withServer(redirects, async (port) => {
      for (const code of samplesIn(language)) {
        await runSample(code, 'bik_x', undefined, port);
        expect(arrived, code.text).toBe(0);
      }
    });
  });

  // The links name another host, as behind some proxies: the key must not go there.
  it.each(['ts', 'python'])('in %s end if the links form a circle', async (language) => {
    let count = 0;
    const circle: RequestListener = (_, response) => {
      count++;
      const page = { products: [], deletedProductIds: [], since: 't' };
      const Link = '<http://elsewhere.invalid/api/brand/v1/products?cursor=1>; rel="next"';
      response.writeHead(200, { Link }).end(JSON.stringify(page));
    };
    await withServer(circle, async (port) => {
      for (const guide of ['paging', 'sync']) {
        const code = samplesOfGuides(language, guide).at(-1) ?? { language, text: '' };
        count = 0;
        const { code: status, output } = await runSample(code, 'bik_x', undefined, port);
        expect(status).not.toBe(0);
        expect(output).toContain('a link to an earlier page');
        expect(count).toBe(2);
      }
    });
  });

  it('in Python begin with the call, and only the module guards against redirects', () => {
    const programs = [...contents.samples.values()]
      .flat()
      .flatMap(({ codes }) => codes.filter(({ language }) => language === 'python'));
    expect(programs.length).toBeGreaterThan(0);
    for (const { text } of programs) {
      expect(text).toMatch(
        /^from brand_api import (call|pages)\n\n(body, headers = call|for page in pages)\(/,
      );
    }
    const guarding = samplesOfGuides('python').filter(({ text }) => text.includes('redirect'));
    expect(guarding.map(({ text }) => text)).toEqual([pythonModule()]);
  });

  it.each(LANGUAGES)('in %s never show the key', async (language) => {
    const refuse: RequestListener = (_, response) => {
      response.writeHead(401).end('{"error": "Invalid API key."}');
    };
    await withServer(refuse, async (port) => {
      for (const code of samplesIn(language)) {
        const { output } = await runSample(code, 'bik_SECRET\n', undefined, port);
        expect(output, code.text).not.toContain('SECRET');
      }
    });
  });
});

it('the samples in TypeScript have no mistakes of type', async () => {
  const operations = [...contents.samples.values()].flat().flatMap(({ codes }) => codes);
  const programs = [
    ...samplesOfGuides('ts'),
    ...operations.filter(({ language }) => language === 'ts'),
  ];
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
