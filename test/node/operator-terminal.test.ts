import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { constants } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../tools/admin/database.ts';
import { printable } from '../../tools/terminal.ts';
import { ROOT } from '../../tools/wrangler.ts';
import { openAdminHere, runHere } from './admin-here.ts';
import { atTerminal } from './terminal.ts';
import { migratedFolder } from './pool.ts';
import type { Finished, TemporaryFolder } from './processes.ts';
import { AdminTool, freePort, records, runScriptWith, scriptWords } from './processes.ts';

// What the operator's tools show comes from brands, files and servers. It must not act on the terminal.

const ACTS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;

let folder: TemporaryFolder;
let admin: AdminTool;
let brand: Record<string, unknown>;

beforeAll(async () => {
  folder = await migratedFolder();
  admin = new AdminTool(folder.path);
  brand = await admin.json('brand', 'create', 'Acme \u202Eemca\u2028', '--label', '\u2066x');
});

afterAll(() => folder.remove());

function expectInert({ stdout, stderr }: Finished): void {
  for (const line of (stdout + stderr).split('\n')) expect(line).not.toMatch(ACTS);
}

describe('A text for the terminal', () => {
  it.each([
    ['\x1B]0;title\x07', '\\u{1b}]0;title\\u{7}'],
    ['a\nb\rc\td', 'a\\u{a}b\\u{d}c\\u{9}d'],
    ['\x9B2J\x7F', '\\u{9b}2J\\u{7f}'],
    ['\u202Eabc\u2066', '\\u{202e}abc\\u{2066}'],
    ['Größe 🧴 👩‍🔬 名前', 'Größe 🧴 👩‍🔬 名前'],
  ])('%j is shown as %s', (given, shown) => {
    expect(printable(given)).toBe(shown);
  });

  it('is cut where it is long, though not within a character', () => {
    expect(printable('x'.repeat(2000))).toHaveLength(2000);
    expect(printable(`${'x'.repeat(1999)}🧴🧴`)).toBe(`${'x'.repeat(1999)}\uFFFD…`);
  });
});

describe('The output holds nothing that acts on the terminal', () => {
  it('of the admin tool', async () => {
    const here = await openAdminHere(folder.path);
    const ended = await here.run('brand', 'list');
    expect(ended.stdout).toContain('Acme \\u{202e}emca');
    expectInert(ended);
    expectInert(await here.run('audit'));
    expectInert(await here.run('key', 'list', String(brand['brandId'])));
    expectInert(await here.run('key', 'list', '\x1B[2J'));
    await here.close();
  });

  it('of an import', async () => {
    const server = createServer((_, response) => {
      response.statusCode = 400;
      response.end('{"error":"\\u001b[2J"}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const file = join(folder.path, 'hostile.csv');
    const withKey = { BRAND_API_KEY: String(brand['apiKey']) };
    for (const [rows, shown] of [
      ['\x1B]0;x\x07,,1\n"a\nb",T,\x9B2J', '\\u{1b}'],
      ['a,T,1', '\\u{1b}'],
    ] as const) {
      await writeFile(file, `Handle,Title,Variant Price\n${rows}\n`);
      const url = `http://127.0.0.1:${port}`;
      const ended = await runScriptWith(withKey, 'import', file, '--url', url);
      expect(ended.stdout + ended.stderr).toContain(shown);
      expectInert(ended);
    }
    server.close();
  });

  it('of a verification', async () => {
    const port = await freePort();
    const server = createServer((_, response) => response.end('\x1B[2J\x9B')).listen(port);
    const withKey = { BRAND_API_KEY: String(brand['apiKey']) };
    const ended = await runScriptWith(withKey, 'verify', '--url', `http://127.0.0.1:${port}`);
    expect(ended.stdout).toContain('\\u{1b}');
    expectInert(ended);
    server.close();
  });
});

describe('A key in the place of another argument is not repeated', () => {
  const key = `bik_${'Aa0'.repeat(16)}Z`;

  it.each([
    ['key', 'revoke', `Bearer ${key}`],
    ['key', 'rotate', `${key}\n`],
    ['key', 'list', `"${key}"`],
    ['brand', 'delete', ` ${key}`],
    ['key', 'issue', `Authorization: Bearer ${key}`],
    ['tokens', 'reset', '--brand', `${key}.`],
    ['audit', '--brand', `${key}${key}`],
    ['brand', 'list', '--remote', '--env', key],
    ['key', 'issue', 'x', '--scope', key],
    ['key', 'rotate', 'x', '--overlap', key],
    ['audit', '--since', key],
    ['key', key],
    [key],
    ['brand', 'list', `--${key}`],
  ])('npm run admin -- %j %j %j %j', async (...words) => {
    expectSecret(await runHere(words, openDatabase));
  });

  it.each([
    ['import', key],
    ['import', 'x', '--url', key],
    ['import', 'x', '--match', key],
    ['import', 'x', '--prune-limit', key],
    ['verify', '--url', key],
  ])('npm run %s -- %j %j %j %j', async (script, ...words) => {
    expectSecret(await runScriptWith({ BRAND_API_KEY: key }, script, ...words));
  });

  function expectSecret({ code, stdout, stderr }: Finished): void {
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain('error: ');
    expect(stdout + stderr).not.toContain(key.slice(4, 20));
  }

  it.each(['admin', 'import', 'verify'])(
    'npm run %s does not act on the terminal',
    async (script) => {
      expectInert(await runScriptWith({}, script, '--url', '\x1B[2J', '--\x1B[2J'));
    },
  );
});

/** Types a command of the admin tool at a terminal, and answers its question. */
function ask(
  words: readonly string[],
  question: string,
  answer: string,
): ReturnType<typeof atTerminal> {
  return atTerminal(
    [...scriptWords('admin'), ...words, '--persist-to', folder.path].join(' '),
    { folder: ROOT, environment: process.env },
    { question, answer },
  );
}

describe('A reset of the tokens of all brands', () => {
  it.each([
    ['2', 1, 'The answer does not match. Nothing was reset.'],
    ['\x03', 130, 'error: Stopped. Nothing was reset.'],
    ['1', 0, 'get 410'],
  ])('names the database and asks for the number of brands: %j', async (answer, code, said) => {
    const question = 'all brands (1) in the local database: their clients';
    const ended = await ask(['tokens', 'reset', '--all'], question, answer);
    expect([ended.code, ended.screen]).toEqual([code, expect.stringContaining(said)]);
  });

  it('is recorded if it was made', async () => {
    const entries = records((await admin.json('audit'))['entries']);
    expect(entries.filter(({ action }) => action === 'tokens.reset')).toHaveLength(1);
  });
});

describe('An interruption', () => {
  it.each([
    ['\x03', 130],
    ['\x04', 1],
  ])('of the question deletes nothing, in a sentence: %j', async (answer, expected) => {
    const words = ['brand', 'delete', String(brand['brandId'])];
    const { code, screen } = await ask(words, 'to continue:', answer);
    expect(code).toBe(expected);
    expect(screen).toContain('Nothing was deleted.');
    expect(screen).not.toContain('AbortError');
  });

  it.each([
    ['SIGINT', 'key issue', 'See with the list commands'],
    ['SIGTERM', 'key issue', 'See with the list commands'],
    ['SIGHUP', 'brand import', 'A part of the brand may be there'],
  ] as const)(
    'of a change says what may have happened: %s during %s',
    async (signal, change, says) => {
      const [command, ...first] = scriptWords('admin');
      const brandId = String(brand['brandId']);
      const file = join(folder.path, 'brand.json');
      const isImport = change === 'brand import';
      if (isImport) {
        const here = await openAdminHere(folder.path);
        await here.json('brand', 'export', brandId, '--to', file);
        await here.close();
      }
      const words = [...change.split(' '), isImport ? file : brandId];
      const args = [...words, '--persist-to', folder.path];
      const child = spawn(command, [...first, ...args], { cwd: ROOT });
      const output = text(child.stderr);
      const children = `/proc/${String(child.pid)}/task/${String(child.pid)}/children`;
      await expect.poll(() => readFile(children, 'utf8'), { timeout: 60_000 }).not.toBe('');
      const wrangler = (await readFile(children, 'utf8')).trim();
      child.kill(signal);
      await once(child, 'exit');
      // It could make the change after the tool has spoken.
      expect(existsSync(`/proc/${wrangler}`)).toBe(false);
      expect(child.exitCode).toBe(128 + constants.signals[signal]);
      // Where the progress is shown, it stands before the sentence.
      expect(await output).toMatch(new RegExp(`(^|\\r|\\n)Stopped\\. ${says}[^\\n]*\\n$`));
    },
  );
});
