import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { constants } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reasonOf } from '../../common/terminal/reason.ts';
import { printable } from '../../common/terminal/printable.ts';
import { ROOT } from '../../common/wrangler/wrangler.ts';
import type { AdminHere } from './admin-here.ts';
import { openAdminHere } from './admin-here.ts';
import { commandOf } from '../../client/test/command/commanded.ts';
import type { Finished } from '../../test/node/processes.ts';
import { ADMIN, freePort, records, runWith } from '../../test/node/processes.ts';

// What the operator's tools show comes from brands, files and servers. It must not act on the terminal.

const ACTS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;
const KEY = `bik_${'Aa0'.repeat(16)}Z`;

let admin: AdminHere;
let brandId: string;
let apiKey: string;

beforeAll(async () => {
  admin = await openAdminHere();
  const brand = await admin.json('brand', 'create', 'Acme \u202Eemca\u2028', '--label', '\u2066x');
  [brandId, apiKey] = [String(brand['brandId']), String(brand['apiKey'])];
});

afterAll(() => admin.close());

function expectInert({ stdout, stderr }: Finished): void {
  for (const line of (stdout + stderr).split('\n')) expect(line).not.toMatch(ACTS);
}

it.each([
  ['\x1B]0;title\x07', '\\u{1b}]0;title\\u{7}'],
  ['a\nb\rc\td', 'a\\u{a}b\\u{d}c\\u{9}d'],
  ['\x9B2J\x7F', '\\u{9b}2J\\u{7f}'],
  ['\u202Eabc\u2066', '\\u{202e}abc\\u{2066}'],
  ['Größe 🧴 👩‍🔬 名前', 'Größe 🧴 👩‍🔬 名前'],
])('A text for the terminal shows what would act on it in escapes: %j, %s', (given, shown) => {
  expect(printable(given)).toBe(shown);
});

it('A text for the terminal is cut where it is long, though not within a character', () => {
  expect(printable('x'.repeat(2000))).toHaveLength(2000);
  expect(printable(`${'x'.repeat(1999)}🧴🧴`)).toBe(`${'x'.repeat(1999)}\uFFFD…`);
});

const refusedBy = (address: string): Error => new Error(`connect ECONNREFUSED ${address}`);

it.each([
  [new Error('No such file'), 'No such file'],
  [
    new TypeError('fetch failed', { cause: refusedBy('::1:1') }),
    'fetch failed: connect ECONNREFUSED ::1:1',
  ],
  [
    // What `fetch` throws for a name with two addresses, such as localhost.
    new TypeError('fetch failed', {
      cause: new AggregateError([refusedBy('::1:1'), refusedBy('127.0.0.1:1')]),
    }),
    'fetch failed: connect ECONNREFUSED ::1:1: connect ECONNREFUSED 127.0.0.1:1',
  ],
  ['text', 'text'],
])('An error of the network says why: %s', (error, reason) => {
  expect(reasonOf(error)).toBe(reason);
});

it('The output of the admin tool holds nothing that acts on the terminal', async () => {
  const ended = await admin.run('brand', 'list');
  expect(ended.stdout).toContain('Acme \\u{202e}emca');
  expectInert(ended);
  expectInert(await admin.run('audit'));
  expectInert(await admin.run('key', 'list', brandId));
  expectInert(await admin.run('key', 'list', '\x1B[2J'));
  expectInert(await admin.run('--\x1B[2J'));
});

it('The output about a file and a server holds nothing that acts on the terminal', async () => {
  const port = await freePort();
  const server = createServer((_, response) => {
    response.writeHead(400).end('{"error":"\\u001b[2J"}');
  }).listen(port, '127.0.0.1');
  const file = join(admin.path, 'hostile.csv');
  for (const rows of ['\x1B]0;x\x07,,1\n"a\nb",T,\x9B2J', 'a,T,1']) {
    await writeFile(file, `Handle,Title,Variant Price\n${rows}\n`);
    const baseUrl = `http://127.0.0.1:${port}`;
    const ended = await commandOf({ apiKey, baseUrl })(['sync', file]);
    expect(ended.stdout + ended.stderr).toContain('\\u{1b}');
    expectInert(ended);
  }
  server.close();
});

function expectSecret({ code, stdout, stderr }: Finished): void {
  expect(code).toBeGreaterThan(0);
  expect(stderr).toContain('error: ');
  expect(stdout + stderr).not.toContain(KEY.slice(4, 20));
}

it.each([
  ['key', 'revoke', `Bearer ${KEY}`],
  ['key', 'rotate', `${KEY}\n`],
  ['key', 'list', `"${KEY}"`],
  ['brand', 'delete', ` ${KEY}`],
  ['tokens', 'reset', '--brand', `${KEY}.`],
  ['audit', '--brand', `${KEY}${KEY}`],
  ['key', 'issue', 'x', '--scope', KEY],
  ['key', 'rotate', 'x', '--overlap', KEY],
  ['audit', '--since', KEY],
  ['key', KEY],
  ['brand', 'list', `--${KEY}`],
])('A key in the place of another argument is not repeated: %j %j %j %j', async (...words) => {
  expectSecret(await admin.run(...words));
});

it('A key in the place of another argument is not repeated by `verify`', async () => {
  const ended = await runWith({ BRAND_API_KEY: KEY }, ...ADMIN, 'verify', `\x1B[2J${KEY}`);
  expectSecret(ended);
  expectInert(ended);
});

/** Runs a command of the admin tool as if at a terminal, at which this was typed. */
async function answered(typed: string, ...words: readonly string[]): Promise<Finished> {
  const { stdin } = process;
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
  const isTTY = Object.getOwnPropertyDescriptor(process.stderr, 'isTTY') ?? { value: undefined };
  Object.defineProperty(process, 'stdin', { value: input, configurable: true });
  Object.defineProperty(process.stderr, 'isTTY', { value: true, configurable: true });
  try {
    input.write(typed);
    return await admin.run(...words);
  } finally {
    Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
    Object.defineProperty(process.stderr, 'isTTY', isTTY);
  }
}

it.each([
  ['2\r', 1, 'The answer does not match. Nothing was reset.'],
  ['\x03', 130, 'error: Stopped. Nothing was reset.'],
  ['\x04', 1, 'error: Nothing was reset.'],
  ['1\r', 0, 'get 410'],
])('A question before a reset of all brands is answered: %j', async (typed, code, said) => {
  const ended = await answered(typed, 'tokens', 'reset', '--all');
  expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(said)]);
  expect(ended.stderr).toContain('all brands (1) in the local database: their clients');
  const entries = records((await admin.json('audit'))['entries']);
  const resets = entries.filter(({ action }) => action === 'tokens.reset');
  expect(resets).toHaveLength(code === 0 ? 1 : 0);
});

it.each([
  ['SIGINT', 'key issue', 'See with the list commands'],
  ['SIGHUP', 'brand import', 'A part of the brand may be there'],
] as const)(
  'An interruption of a change says what may have happened: %s during %s',
  async (signal, change, says) => {
    const file = join(admin.path, 'brand.json');
    const isImport = change === 'brand import';
    if (isImport) await admin.json('brand', 'export', brandId, '--to', file);
    const words = [...change.split(' '), isImport ? file : brandId, '--persist-to', admin.path];
    const [command, ...first] = ADMIN;
    const child = spawn(command, [...first, ...words], { cwd: ROOT });
    const output = text(child.stderr);
    let runtime = '';
    await expect.poll(async () => (runtime = await runtimeOf(String(child.pid)))).not.toBe('');
    child.kill(signal);
    await once(child, 'exit');
    // It could make the change after the tool has spoken.
    expect(await readFile(`/proc/${runtime}/stat`, 'utf8').catch(() => 'gone')).toMatch(
      /gone|\) Z /,
    );
    expect(child.exitCode).toBe(128 + constants.signals[signal]);
    // Where the progress is shown, it stands before the sentence.
    expect(await output).toMatch(new RegExp(`(^|\\r|\\n)Stopped\\. ${says}[^\\n]*\\n$`));
  },
);

/** Returns the process of the runtime that a process has started; empty before it has. Other children bundle and list. */
async function runtimeOf(pid: string): Promise<string> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ');
  for (const child of children) {
    const name = await readFile(`/proc/${child}/comm`, 'utf8').catch(() => 'gone');
    if (name.startsWith('workerd')) return child;
  }
  return '';
}
