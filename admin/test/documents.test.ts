import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { INTERRUPTIONS } from '../../common/terminal/interruption.ts';
import { usesDatabase } from '../src/commands/command.ts';
import { configured } from '../src/database/configuration.ts';
import { Databases } from '../src/home/databases.ts';
import { adminProgram } from '../src/run.ts';
import type { AdminHere } from './admin-here.ts';
import { openAdminHere } from './admin-here.ts';
import { fillBrand } from './brand-rows.ts';
import { commandsOf, wordsOf } from '../../test/node/commands.ts';
import { expectShape, shapes } from '../../test/node/json-shapes.ts';
import { allDocuments } from '../../test/node/markdown.ts';

// What the documents say of all commands of the admin tool: the JSON documents, and the exit codes.

let admin: AdminHere;

beforeAll(async () => {
  admin = await openAdminHere();
});

afterAll(() => admin.close());

function notOpened(): never {
  throw new Error('No command is run.');
}

const several = new Databases(notOpened, { ...configured, hasSeveral: () => true });

const isLower = (word: string): boolean => /^[a-z]+$/.test(word);

/** A command as the table names it, without its arguments and options. */
const nameOf = (command: string): string => command.split(' ').filter(isLower).join(' ');

it('The JSON document of every command is documented', () => {
  const commands = commandsOf(adminProgram(several))
    .filter(usesDatabase)
    .map((one) => wordsOf(one).join(' '));
  const documented = new Set([...shapes.keys()].map(nameOf));
  expect([...documented].sort()).toEqual(commands.sort());
});

it('The JSON document of each command has the documented shape', async () => {
  // add-database.test.ts tries `database add`, databases.test.ts the others.
  const moves = ['brand move', 'brand move --abort', 'brand move --keep'];
  const seen = new Set(['database add', 'database check', ...moves]);
  const check = async (name: string, ...words: string[]): Promise<Record<string, unknown>> => {
    const document = await admin.json(...nameOf(name).split(' '), ...words);
    seen.add(name);
    expectShape(name, document);
    return document;
  };
  const made = await check('brand create', 'Acme');
  const brand = String(made['brandId']);
  await fillBrand(admin.database, brand);
  const issued = await check('key issue', brand, '--expires-in', '20d');
  await check('key list', '--expiring-in', '30d');
  await check('key list BRAND_ID', brand);
  await check('key rotate KEY_ID', String(issued['keyId']));
  await check('key rotate --brand BRAND_ID', '--brand', brand);
  const file = join(admin.path, 'rotated');
  await check('key rotate --keys-to FILE', '--expiring-in', '30d', '--keys-to', file);
  await check('key revoke', String(made['keyId']));
  await check('brand list');
  await check('brand show', brand);
  await check('brand suspend', brand, '--reason', 'unpaid');
  await check('brand resume', brand);
  await check('brand export', brand, '--to', join(admin.path, 'brand.json'));
  await check('brand export --all', '--all', '--to', join(admin.path, 'copies'));
  await check('tokens reset', '--all', '--yes');
  await check('audit');
  await writeFile(join(admin.path, 'names'), 'One\nTwo\n');
  const files = ['--from', join(admin.path, 'names'), '--keys-to', join(admin.path, 'keys')];
  await check('brand create --from', ...files);
  await check('database list');
  await admin.run('key', 'revoke', String(issued['keyId']));
  const status = await admin.run('status', '--json');
  seen.add('status');
  expectShape('status', JSON.parse(status.stdout));
  await check('brand delete', brand, '--yes');
  await check('brand import', join(admin.path, 'brand.json'));
  expect([...seen].sort()).toEqual([...shapes.keys()].sort());
});

const text = readFileSync('docs/operating.md', 'utf8');
const codes = [...text.matchAll(/^\| ([\d, ]+?) +\| (?:Done|Refused|Wrong|Could|Interrupted)/gm)];
const listed = codes.flatMap(([, list = '']) => list.split(', ').map(Number));

it('The table of exit codes has those that the tool ends with, and no others', () => {
  // status.test.ts sees 3; terminal.test.ts and export.test.ts interrupt commands.
  const interrupted = INTERRUPTIONS.map((signal) => 128 + constants.signals[signal]);
  expect(listed.toSorted((one, other) => one - other)).toEqual(
    [0, 1, 2, 3, ...interrupted].toSorted((one, other) => one - other),
  );
});

it.each<[number, string[]]>([
  [0, ['--help']],
  [1, ['brand', 'show', '01890000-0000-7000-8000-000000000000']],
  [2, []],
])('The table of exit codes says what the tool does: %i of %j', async (code, words) => {
  expect((await admin.run(...words)).code).toBe(code);
});

/** A command in a block of code, behind `npx --offline brand-admin` or the function `admin` that does the same; and one in a sentence. */
const COMMANDS = [
  /(?:npx --offline brand-admin|^ *admin|do admin) ([a-z][^`\n|<>;]*)/gm,
  /`(?:admin )?((?:brand|key|tokens|audit|database|verify) [^`]*[A-Z\d][^`]*)`/g,
];

/** What the documents tell operators to type. */
const documented = allDocuments()
  .filter((file) => file !== 'CHANGELOG.md')
  .map((file) => readFileSync(file, 'utf8'))
  .flatMap((text) => COMMANDS.flatMap((pattern) => [...text.matchAll(pattern)]))
  .map(([, line = '']) => line.trim());

it.each([...new Set(documented)])(
  'A documented command is one of the admin tool: %s',
  async (line) => {
    // The reader has created the folder.
    const inFolder = line.replace(/(?<=--persist-to )\S+/, '.');
    const words = [...inFolder.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
    const understood = new Error('It would run now.');
    const program = adminProgram(several);
    program.hook('preAction', () => {
      throw understood;
    });
    await expect(program.parseAsync(words, { from: 'user' })).rejects.toBe(understood);
  },
);
