import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import type { BuildOptions, Metafile, OutputFile } from 'esbuild';
import { build } from 'esbuild';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { publint } from 'publint';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import type { InstalledClient } from './installed-client.ts';
import { installClient, nodes } from './installed-client.ts';
import { takeBrand } from '../../../test/node/pool.ts';
import { run, runWith } from '../../../test/node/processes.ts';

const NAME = 'brand-integration-client';
const KIB = 1024;

const manifest = z.object({
  type: z.literal('module'),
  sideEffects: z.literal(false),
  dependencies: z.optional(z.undefined()),
});

let client: InstalledClient;

beforeAll(async () => {
  client = await installClient();
});

afterAll(() => client.remove());

it('The package contains the client with its types, the command, the README, the examples and the licences, and nothing else', () => {
  const others = client.contents.files
    .map(({ path }) => path)
    .filter((path) => !/^dist\/(sync\/)?[a-z-]+(-[0-9A-Z]{8})?\.(js|d\.ts)$/.test(path));
  expect(others.sort()).toEqual([
    'LICENSE',
    'README.md',
    'bin/brand-integration.js',
    'dist/command/LICENSES.txt',
    'dist/command/main.cjs',
    'examples/another_platform.py',
    'examples/apply.php',
    'examples/apply.py',
    'examples/both-directions/apply_to_store.py',
    'examples/both-directions/store_items.py',
    'examples/both-directions/store_to_service.sh',
    'examples/nightly.sh',
    'package.json',
  ]);
  const { size, unpackedSize } = client.contents;
  const advice =
    'the types of a collection take about 17 KB, those of a field 1 KB, and the command 280 KB: if a feature needs more, raise both limits here';
  expect(unpackedSize, `unpacked: ${advice}`).toBeLessThan(467 * KIB);
  expect(size, `as a file: ${advice}`).toBeLessThan(158 * KIB);
});

it('The package has no fault that publint, or Are the types wrong, knows', async () => {
  const archive = await readFile(join(client.path, '..', client.contents.filename));
  const tarball = new Uint8Array(archive).buffer;
  const { messages } = await publint({ pack: { tarball } });
  expect(messages).toEqual([]);
  const { problems } = {
    problems: [],
    ...(await checkPackage(createPackageFromTarballData(archive))),
  };
  // The package has ES modules alone, which these two cannot load.
  const others = problems.filter(
    (problem) =>
      !('resolutionKind' in problem && ['node10', 'node16-cjs'].includes(problem.resolutionKind)),
  );
  expect(others).toEqual([]);
});

// Nobody has to own its name on npm: another could publish a package under it.
it('The package is installed from its file wherever a document says how', async () => {
  const { stdout } = await run('git', 'grep', '-hoE', 'npm install [^-` ][^` ]*', '--', '*.md');
  const found = new Set(stdout.trim().split('\n'));
  expect([...found]).toEqual([`npm install ./${client.contents.filename}`]);
  const installs = client.commands.filter((command) => command.startsWith('npm install'));
  expect(installs).toEqual([...found, 'npm install --save-dev typescript @types/node']);
});

it('The package is a module without dependencies and side effects', async () => {
  const text = await readFile(join(client.path, 'node_modules', NAME, 'package.json'), 'utf8');
  expect(() => manifest.parse(JSON.parse(text))).not.toThrow();
  expect(await bundle(`import '${NAME}';`)).toBe('');
});

it('The package adds at most 5.5 KiB to what a page loads first, minified and compressed with gzip', async () => {
  const { outputFiles, metafile } = await bundled(`export * from '${NAME}';`, {
    splitting: true,
    outdir: '.',
    metafile: true,
  });
  const first = loadedFirst('stdin.js', metafile);
  expect(first.size).toBeLessThan(outputFiles.length);
  // A server compresses each file by itself.
  const files = outputFiles.filter(({ path }) => first.has(basename(path)));
  const compressed = await Promise.all(
    files.map(async ({ text }) => promisify(gzip)(text, { level: 9 })),
  );
  const size = compressed.reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(size).toBeGreaterThan(1000);
  expect(size).toBeLessThanOrEqual(5.5 * KIB);
});

it('The package has a command that runs in every Node on the PATH, with nothing else installed', async () => {
  const { apiKey, baseUrl } = await takeBrand();
  const program = join(client.path, 'node_modules/.bin/brand-integration');
  for (const [version, node] of await nodes()) {
    const variables = { BRAND_API_KEY: apiKey, BRAND_API_URL: baseUrl };
    const { code, stdout, stderr } = await runWith(variables, node, program, 'whoami');
    expect([code, stderr], `Node ${version}`).toEqual([0, '']);
    expect(stdout).toContain(`Service: ${baseUrl}\n`);
  }
});

it('The package works in a Worker', async () => {
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

async function bundle(program: string): Promise<string> {
  const { outputFiles } = await bundled(program);
  return outputFiles[0]?.text.trim() ?? '';
}

/** Returns the files that a file imports, and those that they import, without what is loaded when it is used. */
function loadedFirst(
  file: string,
  metafile: Metafile | undefined,
  found = new Set<string>(),
): Set<string> {
  found.add(file);
  for (const { path, kind } of metafile?.outputs[file]?.imports ?? []) {
    if (kind === 'import-statement' && !found.has(path)) loadedFirst(path, metafile, found);
  }
  return found;
}

async function bundled(
  program: string,
  options: BuildOptions = {},
): Promise<{
  readonly outputFiles: readonly OutputFile[];
  readonly metafile: Metafile | undefined;
}> {
  return build({
    stdin: { contents: program, resolveDir: client.path },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    logLevel: 'silent',
    ...options,
    write: false,
  });
}
