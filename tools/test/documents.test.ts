import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { unstable_readConfig } from 'wrangler';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { collections } from '../../src/resources/registry.ts';
import { ACTIONS } from '../../admin/src/audit.ts';
import { CALLS } from '../../client/test/client-calls.ts';
import { inhabit } from './inhabited-brand.ts';
import type { Contents } from './inhabited-brand.ts';
import type { Block } from '../../test/node/markdown.ts';
import { allDocuments, blocksOf, deadLinks, namedFiles } from '../../test/node/markdown.ts';
import { takeBrand } from '../../test/node/pool.ts';
import { run, runWith, temporaryFolder } from '../../test/node/processes.ts';

// Every command and every sample of the documents is run against the service, in the order of its document and with
// nothing but what the document tells its reader to set: the URL and the key. Each document is run twice, by a reader
// whose brand has a catalogue of its own, and leaves the brand as it was.

/** The documents that only tell of the past, or have no samples. */
const WITHOUT_SAMPLES = ['CHANGELOG.md', 'SECURITY.md'];

/** The languages of a document's blocks that are not run here. */
const NOT_HERE: Readonly<Record<string, readonly string[]>> = {
  // They need an account. tools/test/cloudflare deploys, and admin/test/documents.test.ts reads the commands of brand-admin.
  'docs/deploying.md': ['sh', 'text'],
  'docs/operating.md': ['sh'],
  'docs/operating-once.md': ['sh', 'sql', 'text'],
  'docs/many-databases.md': ['sh'],
  // one-patch.test.ts prints its SQL, and the request and the response.
  'docs/architecture.md': ['mermaid', 'sql', 'http'],
  'docs/benchmarks.md': ['mermaid'],
  // typescript-samples.test.ts runs those in TypeScript with the packed client.
  'docs/integrating.md': ['ts'],
  // manual.test.ts runs those in sh and Python beside stores, php-samples.test.ts those in PHP. The others install the
  // package, or are for cron.
  'client/README.md': ['sh', 'ts', 'python', 'php', 'text'],
};

/** Commands that are not run here: .ci/run or other tests run them, or they would change the project. */
const COMMANDS_NOT_HERE = [
  'npm ci && npm run dev',
  'npm ci && npm test',
  'npm run format',
  'npm run check',
  'npm run types',
  'npm run openapi',
  'npm run docs',
  'npx wrangler d1 migrations apply DB --local && npx wrangler dev',
  'npx --offline brand-admin brand create "My brand"',
  'npm test',
  'npm run test:all',
  `git grep -niE 'coupon.?codes?' -- '*.md' '*package.json'`,
  `git grep -niE 'woocommerce.{1,12}shopify|shopify.{1,12}woocommerce' -- '*.md'`,
];

const documents = allDocuments().filter((file) => !WITHOUT_SAMPLES.includes(file));
const runHere = (file: string, ...languages: readonly string[]): Block[] =>
  blocksOf(file).filter(
    ({ language }) => languages.includes(language) && !NOT_HERE[file]?.includes(language),
  );
const having = (...languages: readonly string[]): string[] =>
  documents.filter((file) => runHere(file, ...languages).length > 0);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder();
});

afterAll(() => folder.remove());

/** Somebody with a key who tries the samples of a document. */
interface Reader {
  /** What the document tells its reader to set. */
  readonly variables: Readonly<Record<string, string>>;
  /** Reads all that the brand has. */
  readonly contents: () => Promise<Contents>;
}

const readers = new Map<string, Reader>();

/** The reader of a document: all of its samples share a brand. */
async function readerOf(file: string): Promise<Reader> {
  const known = readers.get(file);
  if (known !== undefined) return known;
  const brand = await takeBrand();
  const contents = await inhabit(brand);
  const reader = {
    variables: { BRAND_API_URL: brand.baseUrl, BRAND_API_KEY: brand.apiKey },
    contents,
  };
  readers.set(file, reader);
  return reader;
}

/** Runs the samples of a document twice, and expects that the reader's brand is as it was. */
async function twiceWithoutLoss(
  file: string,
  samples: (variables: Reader['variables']) => Promise<void>,
): Promise<void> {
  const { variables, contents } = await readerOf(file);
  const before = await contents();
  await samples(variables);
  await samples(variables);
  expect(await contents()).toEqual(before);
}

// A person reads the status; here curl reports it, and what is not 2xx must be announced in a comment before it: # 404
const PRELUDE = `
set -euo pipefail
curl() { command curl -w '%{stderr}STATUS %{http_code}\\n' "$@"; }
`;
const SETTING = /^export (BRAND_API_\w+)=.*$/gm;

/** The commands of a document as one script, without those that are not run here; and the statuses that it announces. */
function scriptOf(file: string): { script: string; sets: string[]; announced: string[] } {
  const text = runHere(file, 'sh')
    .map((block) => block.text)
    .join('\n')
    .split('\n')
    .filter((line) => !COMMANDS_NOT_HERE.includes(line))
    .join('\n');
  return {
    script: text.replaceAll(SETTING, ''),
    sets: [...text.matchAll(SETTING)].map(([, name = '']) => name),
    announced: [...text.matchAll(/^# (\d{3})$/gm)].map(([, status = '']) => status),
  };
}

const withCommands = having('sh').filter((file) => scriptOf(file).script.trim() !== '');

it.each(withCommands)(
  'The commands of a document work as they are pasted, twice: %s',
  async (file) => {
    const { script, sets, announced } = scriptOf(file);
    const place = join(folder.path, `shell-${file.replaceAll('/', '-')}`);
    await mkdir(place);
    await writeFile(join(place, 'script.sh'), PRELUDE + script);
    // `npm run` needs the project around it.
    for (const name of [
      'package.json',
      'node_modules',
      'tools',
      'src',
      'common',
      'client',
      'test',
    ]) {
      await symlink(resolve(name), join(place, name));
    }
    await twiceWithoutLoss(file, async (variables) => {
      const all = Object.entries(variables);
      const set = all.filter(([name]) => sets.includes(name)).map((pair) => pair.join('='));
      const { code, stdout, stderr } = await run('env', '-C', place, ...set, 'bash', 'script.sh');
      expect(code, stdout + stderr).toBe(0);
      const statuses = [...stderr.matchAll(/STATUS (\d{3})/g)].map(([, status = '']) => status);
      expect(statuses.filter((status) => !status.startsWith('2'))).toEqual(announced);
      for (const { text: shown } of runHere(file, 'json')) {
        const answer = JSON.stringify(JSON.parse(shown));
        if (answer.startsWith('{"error":')) expect(stdout).toContain(answer);
      }
      // What jq prints for a member that is not there.
      expect(stdout).not.toMatch(/^null$/m);
    });
  },
);

it.each(allDocuments())('A document has no link that leads to nothing: %s', (file) => {
  expect(deadLinks(file)).toEqual([]);
});

// The changelog names what there was.
it.each(allDocuments().filter((file) => file !== 'CHANGELOG.md'))(
  'A document names only files that are there: %s',
  (file) => {
    expect(namedFiles(file).filter((name) => !existsSync(name))).toEqual([]);
  },
);

it('README.md has at most 150 lines and 8 KB', () => {
  const text = readFileSync('README.md', 'utf8');
  expect(text.split('\n').length).toBeLessThanOrEqual(150);
  expect(new Blob([text]).size).toBeLessThanOrEqual(8000);
});

it('CONTRIBUTING.md has at most 350 lines, so that it is read to its end', () => {
  const lines = readFileSync('CONTRIBUTING.md', 'utf8').split('\n');
  expect(lines.length).toBeLessThanOrEqual(350);
});

it.each(collections)('README.md has the path of each collection: $path', ({ path }) => {
  expect(readFileSync('README.md', 'utf8')).toContain(`\`/${path}\``);
});

it.each(collections)(
  'The pages client/README.md and docs/reference.md describe each collection: $path',
  ({ keys, noun }) => {
    expect(readFileSync('client/README.md', 'utf8')).toContain(`\`${keys.many}\``);
    expect(readFileSync('docs/reference.md', 'utf8')).toContain(`\`${noun} not found.\``);
  },
);

it.each([...Object.keys(CALLS), 'sync'])(
  'The page client/README.md has each method: %s',
  (method) => {
    const text = readFileSync('client/README.md', 'utf8');
    expect(new RegExp(`\`${method}[(\`]`).test(text), `add ${method} to client/README.md`).toBe(
      true,
    );
  },
);

it('The page docs/operating-once.md says what to do about each action of the audit trail after a restore', () => {
  const rows = readFileSync('docs/operating-once.md', 'utf8').split('\n');
  const entries = rows.map((row) => row.split('|')[1] ?? '').join();
  expect(ACTIONS.filter((action) => !entries.includes(`\`${action}\``))).toEqual([]);
});

it.each(having('python'))(
  'The samples in Python run twice, with the standard library alone: %s',
  async (file) => {
    const program = join(folder.path, 'program.py');
    const texts = runHere(file, 'python').map(({ text }) => text);
    await copyFile('docs/brand_api.py', join(folder.path, 'brand_api.py'));
    await writeFile(program, texts.join('\n\n'));
    await symlink(resolve('node_modules'), join(folder.path, 'node_modules'));
    const command = 'cd "$0" && exec python3 -E -s "$1"';
    await twiceWithoutLoss(file, async (variables) => {
      const finished = await runWith(variables, 'sh', '-c', command, folder.path, program);
      expect(finished.code, finished.stdout + finished.stderr).toBe(0);
      expect(finished.stdout).toMatch(/\nNone\n/);
    });
  },
);

it.each(having('json'))('The samples in JSON are JSON: %s', (file) => {
  for (const { text } of runHere(file, 'json')) {
    const parse = (): unknown => JSON.parse(text);
    expect(parse).not.toThrow();
  }
});

it.each(having('toml'))('The samples in TOML are understood by wrangler: %s', async (file) => {
  // Each sample has its own line for this.
  const toml = readFileSync('wrangler.toml', 'utf8').replace('preview_urls = false\n', '');
  for (const { text } of runHere(file, 'toml')) {
    const config = join(folder.path, 'wrangler.toml');
    await writeFile(config, toml.replace(/^(?=\[)/m, `${text}\n\n`));
    expect(unstable_readConfig({ config })).toMatchObject({
      routes: [{ pattern: 'api.example.com', custom_domain: true }],
      workers_dev: false,
      preview_urls: false,
    });
  }
});

it.each(documents)(
  'The samples of a document are run, unless they are left out above: %s',
  (file) => {
    const known = ['sh', 'python', 'json', 'toml', ...(NOT_HERE[file] ?? [])];
    const languages = blocksOf(file).map(({ language }) => language);
    expect(languages.filter((language) => !known.includes(language))).toEqual([]);
    expect((NOT_HERE[file] ?? []).filter((name) => !languages.includes(name))).toEqual([]);
  },
);

it('The block of wrangler.toml for OpenTelemetry is valid once its comment signs are removed', async () => {
  const text = readFileSync('wrangler.toml', 'utf8');
  const block = /^# \[observability\.logs\]\n(?:# .+\n|#\n)+/m.exec(text)?.[0] ?? '';
  const uncommented = text.replace(block, block.replaceAll(/^# ?/gm, ''));
  const config = join(folder.path, 'wrangler.toml');
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  await writeFile(config, uncommented);
  const [logs, traces] = ['otel-logs', 'otel-traces'].map((name) => ({ destinations: [name] }));
  expect(unstable_readConfig({ config })).toMatchObject({ observability: { logs, traces } });
  expect(warn).not.toHaveBeenCalled();
  await writeFile(config, uncommented.replace(/^destinations/m, 'destination'));
  unstable_readConfig({ config });
  expect(warn).toHaveBeenCalledWith(expect.stringMatching(/Unexpected fields/));
  warn.mockRestore();
});
