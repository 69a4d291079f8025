import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Finished } from './processes.ts';
import { run, temporaryFolder } from './processes.ts';
import type { Server } from './server.ts';
import { startServer } from './server.ts';

const NAME = 'brand-integration-client';
const KIB = 1024;

const packed = z.tuple([
  z.object({
    filename: z.string(),
    unpackedSize: z.number(),
    files: z.array(z.object({ path: z.string() })),
  }),
]);
const manifest = z.object({
  type: z.literal('module'),
  sideEffects: z.literal(false),
  dependencies: z.undefined(),
});

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let user: string;
let server: Server;
let archive: string;
let contents: z.infer<typeof packed>[0];
let readme: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startServer();
  const { path } = folder;
  const { code, stdout, stderr } = await run(
    ...['npm', 'pack', './client', '--json', '--silent', '--pack-destination', path],
  );
  expect(code, stderr).toBe(0);
  [contents] = packed.parse(JSON.parse(stdout));
  archive = join(path, contents.filename);
  user = join(path, 'user');
  await mkdir(user);
  await writeFile(join(user, 'package.json'), '{ "type": "module" }');
  const options = ['--offline', '--no-audit', '--no-fund', '--silent'];
  await succeed('npm', 'install', ...options, '--prefix', user, archive);
  readme = await readFile(join(user, 'node_modules', NAME, 'README.md'), 'utf8');
});

afterAll(async () => {
  await server.stop();
  await folder.remove();
});

async function succeed(...command: readonly [string, ...string[]]): Promise<Finished> {
  const finished = await run(...command);
  expect(finished.code, finished.stdout + finished.stderr).toBe(0);
  return finished;
}

/** Compiles a program beside the installed package; gives the path of its JavaScript. */
async function compile(name: string, program: string): Promise<string> {
  await writeFile(join(user, `${name}.ts`), program);
  const types = ['--types', 'node', '--typeRoots', 'node_modules/@types'];
  const how = ['--ignoreConfig', '--strict', '--module', 'nodenext', '--target', 'es2022'];
  await succeed('tsc', ...how, ...types, '--outDir', user, join(user, `${name}.ts`));
  return join(user, `${name}.js`);
}

/** The blocks of TypeScript in the README. */
function programs(): string[] {
  return [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, program = '']) => program);
}

/** The Node versions on the PATH, from 20 on, each with the path of its program. */
async function nodes(): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(directory, 'node');
    const { stdout } = await run(path, '--version').catch(() => ({ stdout: '' }));
    const major = Number(/^v(\d+)/.exec(stdout)?.[1]);
    if (major >= 20 && !found.has(major)) found.set(major, path);
  }
  return found;
}

describe('The package', () => {
  it('holds the program, its types, the README and the licence, and nothing else', () => {
    const others = contents.files
      .map(({ path }) => path)
      .filter((path) => !/^dist\/[a-z]+\.(js|d\.ts)$/.test(path));
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
    expect(contents.unpackedSize).toBeLessThan(200 * KIB);
  });

  it('is a module without dependencies and side effects', async () => {
    const text = await readFile(join(user, 'node_modules', NAME, 'package.json'), 'utf8');
    expect(() => manifest.parse(JSON.parse(text))).not.toThrow();
    expect(await bundle(`import '${NAME}';`)).toBe('');
  });

  it('is found to be sound by publint and arethetypeswrong', async () => {
    await succeed('publint', archive, '--strict');
    await succeed('attw', archive, '--profile', 'esm-only', '--no-emoji', '--no-color');
  });

  it('takes at most 4 KiB of a bundle, minified and in gzip', async () => {
    const text = await bundle(`export * from '${NAME}';`);
    const { byteLength } = await promisify(gzip)(text, { level: 9 });
    expect(byteLength).toBeGreaterThan(1000);
    expect(byteLength).toBeLessThanOrEqual(4 * KIB);
  });
});

async function bundle(program: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: user },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    logLevel: 'silent',
  });
  return outputFiles[0]?.text.trim() ?? '';
}

describe('The README', () => {
  it('has a complete example that compiles, and runs in every Node on the PATH', async () => {
    const program = await compile('example', programs()[0] ?? '');
    const versions = await nodes();
    expect([...versions.keys()]).toContain(24);
    const created = /^(?:[\w-]{36} (?:created|unchanged|updated)\n){2}2 changed, 0 deleted\n$/;
    for (const [version, node] of versions) {
      const env = {
        BRAND_API_KEY: server.apiKey,
        BRAND_API_URL: `http://127.0.0.1:${server.port}`,
      };
      const assignments = Object.entries(env).map(([name, value]) => `${name}=${value}`);
      const { stdout } = await succeed('env', ...assignments, node, program);
      expect(stdout, `Node ${version}`).toMatch(created);
    }
  });

  it('shows the recipe for a mirror as it is tested, and it compiles', async () => {
    const source = await readFile('client/examples/mirror.ts', 'utf8');
    const [, ...lines] = source.split('\n');
    const shown = lines
      .filter((line) => !line.includes('eslint-disable'))
      .join('\n')
      .replaceAll('../src/index.ts', NAME);
    expect(programs()[1]).toBe(shown);
    await compile('mirror', shown);
  });
});

describe('The client in a Worker', () => {
  it('works', async () => {
    const script = await bundle(`
      import { BrandClient } from '${NAME}';
      export default {
        async fetch(request, { apiKey, baseUrl }) {
          const { products } = new BrandClient({ apiKey, baseUrl });
          const items = [{ sku: 'FROM-A-WORKER', title: 'Rope', priceCents: 1 }];
          const [result] = await products.push(items, { match: 'sku' });
          return Response.json(result);
        },
      };
    `);
    const worker = new Miniflare({
      script,
      modules: true,
      compatibilityDate: '2026-09-01',
      bindings: { apiKey: server.apiKey, baseUrl: `http://127.0.0.1:${server.port}` },
    });
    try {
      const response = await worker.dispatchFetch('http://localhost/');
      expect(await response.json()).toMatchObject({
        status: 'created',
        resource: { sku: 'FROM-A-WORKER', title: 'Rope' },
      });
    } finally {
      await worker.dispose();
    }
  });
});
