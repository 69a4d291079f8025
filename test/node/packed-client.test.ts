import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { BuildOptions, OutputFile } from 'esbuild';
import { build } from 'esbuild';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { BrandClient } from '../../client/src/index.ts';
import { connectTo } from './connected.ts';
import { all } from './outcomes.ts';
import { takeBrand } from './pool.ts';
import type { Finished } from './processes.ts';
import { run, runWith, temporaryFolder } from './processes.ts';

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
/** The folder that the README sets up. */
let user: string;
let archive: string;
let contents: z.infer<typeof packed>[0];
/** The blocks of TypeScript in the README. */
let programs: readonly string[];
let commands: readonly string[];

beforeAll(async () => {
  folder = await temporaryFolder();
  const pack = ['pack', './client', '--json', '--silent', '--pack-destination', folder.path];
  [contents] = packed.parse(JSON.parse((await succeed('npm', ...pack)).stdout));
  archive = join(folder.path, contents.filename);
  const readme = await readFile('client/README.md', 'utf8');
  programs = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, program = '']) => program);
  const [, text = ''] = /empty folder.*?```sh\n(.*?)```/s.exec(readme) ?? [];
  commands = text.trim().split('\n');
  user = join(folder.path, 'user');
  await mkdir(user);
  for (const command of commands) {
    const [program = '', ...words] = command.split(' ');
    if (command.startsWith('npm install ./')) {
      await succeed(...here(), 'npm', 'install', '--offline', '--no-audit', archive);
    } else if (program === 'npm' && words[0] !== 'install') {
      await succeed(...here(), program, ...words);
    } else if (program === 'npx') await succeed(...here(), ...words);
  }
  await mkdir(join(user, 'node_modules', '@types'));
  await symlink(resolve('node_modules/@types/node'), join(user, 'node_modules/@types/node'));
  const files = ['example', 'push', 'sync', 'mirror', 'store'].map((name, at) => [
    name,
    programs[at] ?? '',
  ]);
  for (const [name = '', program = ''] of [...files, ['mistake', MISTAKE]]) {
    await writeFile(join(user, `${name}.ts`), program);
  }
  await succeed('tsc', '-p', user);
});

afterAll(() => folder.remove());

/** The words that run a command in that folder. npm would find the project in the variable that it sets for its scripts. */
function here(...variables: readonly string[]): readonly ['env', ...string[]] {
  return ['env', '-u', 'npm_config_local_prefix', '--chdir', user, ...variables];
}

/** With types that say nothing, the comment would be an error. */
const MISTAKE = `
import { BrandClient } from '${NAME}';
const client = new BrandClient({ apiKey: 'k', baseUrl: 'https://api.example.com' });
// @ts-expect-error -- there is no such status
void client.products.list({ syncStatus: 'LOST' });
`;

async function succeed(...command: readonly [string, ...string[]]): Promise<Finished> {
  const finished = await run(...command);
  expect(finished.code, finished.stdout + finished.stderr).toBe(0);
  return finished;
}

describe('The package', () => {
  it('contains the client with its types, the command, the README and the licences, and nothing else', () => {
    const others = contents.files
      .map(({ path }) => path)
      .filter((path) => !/^dist\/(mirror\/|sync\/)?[a-z-]+\.(js|d\.ts)$/.test(path));
    expect(others.sort()).toEqual([
      'LICENSE',
      'README.md',
      'bin/brand-integration.js',
      'dist/command/LICENSES.txt',
      'dist/command/main.cjs',
      'package.json',
    ]);
    expect(
      contents.unpackedSize,
      'the types of a collection take about 25 KB, and those of a field 1 KB: raise this limit for them',
    ).toBeLessThan(380 * KIB);
  });

  // Nobody has to own its name on npm: another could publish a package under it.
  it('is installed from its file wherever a document says how', async () => {
    const { stdout } = await run('git', 'grep', '-hoE', 'npm install [^-` ][^` ]*', '--', '*.md');
    const found = new Set(stdout.trim().split('\n'));
    expect([...found]).toEqual([`npm install ./${contents.filename}`]);
    const installs = commands.filter((command) => command.startsWith('npm install'));
    expect(installs).toEqual([...found, 'npm install --save-dev typescript @types/node']);
  });

  it('is a module without dependencies and side effects', async () => {
    const text = await readFile(join(user, 'node_modules', NAME, 'package.json'), 'utf8');
    expect(() => manifest.parse(JSON.parse(text))).not.toThrow();
    expect(await bundle(`import '${NAME}';`)).toBe('');
  });

  it('adds at most 5.2 KiB to what a page loads first, minified and compressed with gzip', async () => {
    const files = await bundled(`export * from '${NAME}';`, { splitting: true, outdir: '.' });
    // Loaded when it is used.
    const first = files.filter(({ path }) => !basename(path).startsWith('sync-'));
    expect(first.length).toBeLessThan(files.length);
    const text = first.map((file) => file.text).join('');
    const { byteLength } = await promisify(gzip)(text, { level: 9 });
    expect(byteLength).toBeGreaterThan(1000);
    expect(byteLength).toBeLessThanOrEqual(5.2 * KIB);
  });

  it('has a command that runs in every Node on the PATH, with nothing else installed', async () => {
    const { apiKey, baseUrl } = await takeBrand();
    const program = join(user, 'node_modules/.bin/brand-integration');
    for (const [version, node] of await nodes()) {
      const variables = { BRAND_API_KEY: apiKey, BRAND_API_URL: baseUrl };
      const { code, stdout, stderr } = await runWith(variables, node, program, 'whoami');
      expect([code, stderr], `Node ${version}`).toEqual([0, '']);
      expect(stdout).toContain(`Service: ${baseUrl}\n`);
    }
  });

  it('works in a Worker', async () => {
    const { apiKey, baseUrl } = await takeBrand();
    const script = await bundle(`
      import { BrandClient } from '${NAME}';
      export default {
        async fetch(request, options) {
          const items = [{ sku: 'FROM-A-WORKER', title: 'Rope', priceCents: 1 }];
          const [result] = await new BrandClient(options).products.push(items, { match: 'sku' });
          return Response.json(result);
        },
      };
    `);
    const worker = new Miniflare(
      convertV4MiniflareOptions({
        script,
        modules: true,
        compatibilityDate: '2026-09-01',
        bindings: { apiKey, baseUrl },
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

async function bundle(program: string): Promise<string> {
  const [file] = await bundled(program);
  return file?.text.trim() ?? '';
}

async function bundled(program: string, options: BuildOptions = {}): Promise<OutputFile[]> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: user },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    logLevel: 'silent',
    ...options,
    write: false,
  });
  return outputFiles;
}

/** The programs of the Node versions on the PATH from 20 on, by version. */
async function nodes(): Promise<Map<number, string>> {
  const { stdout } = await run('which', '-a', 'node');
  const found = new Map<number, string>();
  for (const path of stdout.trim().split('\n')) {
    const major = Number(/^v(\d+)/.exec((await run(path, '--version')).stdout)?.[1]);
    if (major >= 20) found.set(major, path);
  }
  return found;
}

describe('The programs of the README', () => {
  let products: BrandClient['products'];
  let api: readonly string[];

  beforeAll(async () => {
    const { apiKey, baseUrl } = await takeBrand();
    products = connectTo({ apiKey, baseUrl }).client.products;
    api = [`BRAND_API_KEY=${apiKey}`, `BRAND_API_URL=${baseUrl}`];
  });

  /** Runs one of them, and returns what it printed. */
  async function output(name: string, node = 'node'): Promise<string> {
    return (await succeed(...here(...api), node, `${name}.js`)).stdout;
  }

  it('run in every Node on the PATH: the complete example', async () => {
    const versions = await nodes();
    expect([...versions.keys()]).toContain(24);
    const created = /^(?:[\w-]{36} (?:created|unchanged|updated)\n){2}2 changed, 0 deleted\n$/;
    for (const [version, node] of versions) {
      expect(await output('example', node), `Node ${version}`).toMatch(created);
    }
  });

  it('run: the push of changes and deletions', async () => {
    const [first, second] = await all(products.list());
    expect(await output('push')).toBe(`${first?.id ?? ''} updated\n${second?.id ?? ''} deleted\n`);
    await products.delete(first?.id ?? '');
  });

  it('run: the sync of a list, which leaves nothing behind', async () => {
    const counts = [...(await output('sync')).matchAll(/(?:created|deleted): \d/g)];
    expect(counts.map(([count]) => count)).toEqual([
      'created: 2',
      'deleted: 0',
      'created: 2',
      'deleted: 0',
      'created: 0',
      'deleted: 1',
    ]);
    expect(await all(products.list())).toEqual([]);
  });

  it('run: the mirror of a catalogue in twenty lines', async () => {
    expect(programs[3]?.trim().split('\n').length).toBeLessThanOrEqual(20);
    await output('mirror');
    const found = await all(products.list());
    expect(found).toMatchObject([{ sku: 'ROPE-10', title: 'Rope, 10 m' }]);
    await products.update(found[0]?.id ?? '', { priceCents: 1300 });
    expect(await output('mirror')).toBe('save ROPE-10 Rope, 10 m 1300\n');
    await products.delete(found[0]?.id ?? '');
    expect(await output('mirror')).toBe('remove ROPE-10\n');
  });
});
