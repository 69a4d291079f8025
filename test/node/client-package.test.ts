import { access, constants, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { build } from 'esbuild';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { BrandClient } from '../../client/src/index.ts';
import { all } from './outcomes.ts';
import type { Finished } from './processes.ts';
import { run, temporaryFolder } from './processes.ts';
import type { SharedServer } from './shared-server.ts';
import { shareServer } from './shared-server.ts';

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
  dependencies: z.optional(z.undefined()),
});

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let user: string;
let server: SharedServer;
let archive: string;
let contents: z.infer<typeof packed>[0];
/** The blocks of TypeScript in the README. */
let programs: readonly string[];
let readme: string;
/** What the compiler said of the programs in one folder, by its module resolution. */
let compiled: Readonly<Record<string, Finished>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await shareServer();
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
  programs = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, program = '']) => program);
  const [example = '', events = '', recipe = '', store = ''] = programs;
  const mistakes = PROGRAM + MISTAKES.map(([line]) => line).join('\n');
  compiled = {
    nodenext: await compile('nodenext', {
      program: PROGRAM,
      example,
      events,
      recipe,
      store,
      mistakes,
    }),
    node16: await compile('node16', { program: PROGRAM }),
    bundler: await compile('bundler', { program: PROGRAM }),
  };
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

/** Compiles programs beside the installed package, as its user would. They share a run: it loads the same types for each. */
async function compile(
  resolution: string,
  texts: Readonly<Record<string, string>>,
): Promise<Finished> {
  const path = join(user, resolution);
  await mkdir(path);
  const files = await Promise.all(
    Object.entries(texts).map(async ([name, text]) => {
      const file = join(path, `${name}.ts`);
      await writeFile(file, text);
      return file;
    }),
  );
  const module = resolution === 'bundler' ? 'esnext' : resolution;
  const how = ['--module', module, '--moduleResolution', resolution, '--target', 'es2022'];
  const types = ['--lib', 'es2022,dom', '--types', 'node', '--typeRoots', 'node_modules/@types'];
  return run('tsc', '--ignoreConfig', '--strict', ...how, ...types, '--outDir', path, ...files);
}

/** The path of the JavaScript of a program, which must have no mistakes. */
function javaScript(name: string, resolution = 'nodenext'): string {
  expect(compiled[resolution]?.stdout).not.toContain(`${resolution}/${name}.ts(`);
  return join(user, resolution, `${name}.js`);
}

/** The Node versions on the PATH, from 20 on, each with the path of its program. */
async function nodes(): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(directory, 'node');
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    const { stdout } = isThere ? await run(path, '--version') : { stdout: '' };
    const major = Number(/^v(\d+)/.exec(stdout)?.[1]);
    if (major >= 20 && !found.has(major)) found.set(major, path);
  }
  return found;
}

const PROGRAM = `
import { BrandApiError, BrandClient } from 'brand-integration-client';
import type { Product } from 'brand-integration-client';

const fetch: typeof globalThis.fetch = async () =>
  new Response('{"product":{"title":"Rope"}}', { headers: { ETag: '"1"' } });
const client = new BrandClient({ apiKey: 'k', baseUrl: 'https://api.example.com', fetch });
const { data, etag } = await client.products.get('1');
const product: Product = data;
console.log(product.title, etag, new BrandApiError('No', { status: 404 }).status);
`;

const MISTAKES: readonly [string, string][] = [
  [`client.products.list({ color: 'red' });`, `'color' does not exist`],
  [`client.products.list({ syncStatus: 'LOST' });`, `Type '"LOST"' is not assignable`],
  [`await client.products.create({ title: 'No price' });`, `'priceCents' is missing`],
  [`await client.products.update('1', { titel: 'x' });`, `'titel' does not exist`],
  [`await client.couponCodes.delete('1', { ifmatch: etag });`, `'ifmatch' does not exist`],
  [
    `await client.products.push([{ sku: null }], { match: 'sku' });`,
    `Type 'null' is not assignable`,
  ],
  [`await client.products.push([{ title: 'x' }], { match: 'sku' });`, `'sku' is missing`],
  [
    `await client.products.push([{ sku: 'A', deleted: true, title: 'x' }], { match: 'sku' });`,
    `'title' does not exist`,
  ],
  [
    `await client.couponCodes.push([], { match: 'code', ifNewer: true });`,
    `Type 'true' is not assignable to type 'undefined'`,
  ],
  [`await client.couponCodes.push([], { match: 'sku' });`, `Type '"sku"' is not assignable`],
  [`const price: string = data.priceCents;`, `Type 'number' is not assignable to type 'string'`],
];

describe('The package', () => {
  it('contains the program, its types, the README and the licence, and nothing else', () => {
    const others = contents.files
      .map(({ path }) => path)
      .filter((path) => !/^dist\/(mirror\/)?[a-z]+\.(js|d\.ts)$/.test(path));
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
    expect(
      contents.unpackedSize,
      'the types of a collection take about 25 KB, and those of a field 1 KB: raise this limit for them',
    ).toBeLessThan(195 * KIB);
  });

  // Nobody has to own its name on npm: another could publish a package under it.
  it('is installed from its file wherever a document says how', async () => {
    const { stdout } = await run('git', 'grep', '-hoE', 'npm install [^-` ][^` ]*', '--', '*.md');
    const commands = new Set(stdout.trim().split('\n'));
    expect([...commands]).toEqual([`npm install ./${contents.filename}`]);
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

  it('adds at most 4 KiB to a bundle, minified and compressed with gzip', async () => {
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

/** The commands in the README that set up a folder. */
function commands(): string[] {
  const [, text = ''] = /empty folder.*?```sh\n(.*?)```/s.exec(readme) ?? [];
  return text.trim().split('\n');
}

describe('The README', () => {
  it('sets up an empty folder in which its examples compile and run', async () => {
    const empty = join(folder.path, 'empty');
    await mkdir(empty);
    // npm would find the project in this variable, which it sets for its own scripts.
    const here = ['-u', 'npm_config_local_prefix', '--chdir', empty] as const;
    const installed: string[] = [];
    for (const command of commands()) {
      const [program = '', ...words] = command.split(' ');
      // What it installs is here already.
      if (command.startsWith('npm install')) installed.push(...words.slice(1));
      else if (program === 'npm') await succeed('env', ...here, program, ...words);
      else await succeed('env', ...here, ...words);
    }
    expect(installed).toEqual([
      `./${contents.filename}`,
      '--save-dev',
      'typescript',
      '@types/node',
    ]);
    const made = await readFile(join(empty, 'package.json'), 'utf8');
    expect(JSON.parse(made)).toMatchObject({ name: 'empty', type: 'module' });
    const modules = join(empty, 'node_modules');
    await mkdir(join(modules, '@types'), { recursive: true });
    await symlink(join(user, 'node_modules', NAME), join(modules, NAME));
    await symlink(resolve('node_modules/@types/node'), join(modules, '@types/node'));
    for (const [index, name] of ['example', 'push', 'mirror', 'store'].entries()) {
      await writeFile(join(empty, `${name}.ts`), programs[index] ?? '');
    }
    await succeed('tsc', '-p', empty);
    const api = [`BRAND_API_KEY=${server.apiKey}`, `BRAND_API_URL=http://127.0.0.1:${server.port}`];
    for (const program of ['example.js', 'push.js', 'mirror.js']) {
      await succeed('env', ...here, ...api, 'node', program);
    }
  });

  it('has a complete example that compiles, and runs in every Node on the PATH', async () => {
    const program = javaScript('example');
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

  it('pushes changes and deletions, which compile and run', async () => {
    const { apiKey, port } = server;
    const baseUrl = `http://127.0.0.1:${port}`;
    const { products } = new BrandClient({ apiKey, baseUrl });
    const items = [10, 20].map((length) => ({
      title: 'Rope',
      priceCents: 1,
      sku: `ROPE-${length}`,
    }));
    const made = await products.push(items, { match: 'sku' });
    const api = [`BRAND_API_KEY=${apiKey}`, `BRAND_API_URL=${baseUrl}`];
    const { stdout } = await succeed('env', ...api, 'node', javaScript('events'));
    expect(stdout).toBe(`${made[0]?.id ?? ''} updated\n${made[1]?.id ?? ''} deleted\n`);
    await products.delete(made[0]?.id ?? '');
  });

  it('mirrors a catalogue in twenty lines, which compile and run', async () => {
    expect(programs[2]?.trim().split('\n').length).toBeLessThanOrEqual(20);
    javaScript('store');
    const program = javaScript('recipe');
    const { apiKey, port } = server;
    const api = [`BRAND_API_KEY=${apiKey}`, `BRAND_API_URL=http://127.0.0.1:${port}`];
    const once = ['env', '--chdir', user, ...api, 'node', program] as const;
    await succeed(...once);
    const { products } = new BrandClient({ apiKey, baseUrl: `http://127.0.0.1:${port}` });
    const found = await all(products.list({ sku: 'ROPE-10' }));
    expect(found).toMatchObject([{ title: 'Rope, 10 m' }]);
    await products.update(found[0]?.id ?? '', { priceCents: 1300 });
    expect((await succeed(...once)).stdout).toBe('save ROPE-10 Rope, 10 m 1300\n');
    await products.delete(found[0]?.id ?? '');
    expect((await succeed(...once)).stdout).toBe('remove ROPE-10\n');
  });
});

describe('The types of the package', () => {
  it.each(['node16', 'nodenext', 'bundler'])(
    'compile with the module resolution %s, and Node runs the program',
    async (resolution) => {
      const program = javaScript('program', resolution);
      expect((await succeed('node', program)).stdout).toBe('Rope "1" 404\n');
    },
  );

  it('make wrong filters, values and fields compile errors, one each, and nothing else', () => {
    const said = Object.values(compiled).map(({ stdout }) => stdout);
    const errors = said.join('').match(/^\S.*error TS.*/gm) ?? [];
    expect(errors.filter((line) => !line.includes('nodenext/mistakes.ts('))).toEqual([]);
    expect(errors).toHaveLength(MISTAKES.length);
    for (const [, message] of MISTAKES) expect(said.join('')).toContain(message);
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
    const worker = new Miniflare(
      convertV4MiniflareOptions({
        script,
        modules: true,
        compatibilityDate: '2026-09-01',
        bindings: { apiKey: server.apiKey, baseUrl: `http://127.0.0.1:${server.port}` },
      }),
    );
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
