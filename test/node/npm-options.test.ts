import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { configured } from '../../tools/admin/configuration.ts';
import { openDatabase } from '../../tools/admin/database.ts';
import { Databases } from '../../tools/admin/databases.ts';
import { adminProgram } from '../../tools/admin/run.ts';
import { refuseOptionsKeptByNpm } from '../../tools/npm-options.ts';
import { commandsOf, wordsOf } from './commands.ts';
import type { TemporaryFolder } from './processes.ts';
import { run, runScriptWith, temporaryFolder } from './processes.ts';

// Without `--` before them, npm takes options for its own, and reports them only in variables. These tests ask the
// installed npm which.

const passed = z.object({ words: z.array(z.string()), env: z.record(z.string(), z.string()) });

const databases = new Databases(openDatabase, configured);
const NOBODY = '01890000-0000-7000-8000-000000000000';

let folder: TemporaryFolder;
/** The variables of a script without options. */
let usual: NodeJS.ProcessEnv = {};

beforeAll(async () => {
  folder = await temporaryFolder();
  const scripts = { dump: 'node dump.mjs' };
  await writeFile(join(folder.path, 'package.json'), JSON.stringify({ scripts }));
  await writeFile(
    join(folder.path, 'dump.mjs'),
    'const { argv, env } = process; console.log(JSON.stringify({ words: argv.slice(2), env }));',
  );
  usual = (await passedOn()).env;
});

afterEach(() => {
  vi.unstubAllEnvs();
});

afterAll(() => folder.remove());

/** Types words behind `npm run` and the name of a script. Returns what npm passes on: words, and variables for the rest. */
async function passedOn(...typed: readonly string[]): Promise<z.infer<typeof passed>> {
  const npm = ['npm', '--silent', '--prefix', folder.path, 'run', 'dump'] as const;
  const { code, stdout, stderr } = await run(...npm, ...typed);
  expect(code, stderr).toBe(0);
  const { words, env } = passed.parse(JSON.parse(stdout));
  const variables = Object.entries(env).filter(
    ([name, value]) => name.startsWith('npm_config_') && value !== usual[name],
  );
  return { words, env: Object.fromEntries(variables) };
}

/** Returns what the admin tool says of words and variables that npm passes on; nothing if it goes on. */
function refusal(words: readonly string[], variables: NodeJS.ProcessEnv): string {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  let written = '';
  const program = adminProgram(databases).configureOutput({
    writeErr: (text) => (written += text),
  });
  try {
    refuseOptionsKeptByNpm(program, 'admin', words);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
  }
  return written;
}

function namedIn(written: string): string[] {
  const [, named = ''] = /^error: npm kept (.*) for itself\. Write -- before/.exec(written) ?? [];
  return named.split(' and ').sort();
}

/** The variable in which npm passes on an option that it kept. */
function variableOf(flags: string): string {
  const [word = ''] = flags.replace(/^--(no-)?/, '').split(' ');
  // npm completes the beginning of one of its own options.
  const name = word === 'to' ? 'token-description' : word;
  return `npm_config_${name.replaceAll('-', '_')}`;
}

const commands = commandsOf(adminProgram(databases)).map((command) => ({
  words: wordsOf(command),
  options: command.options
    .map(({ flags }) => flags)
    // npm refuses values of `--location`, which it has too; the command needs `--remote` besides, which is seen.
    // `--prefix` is npm's folder.
    .filter((flags) => !/^--(location|prefix) /.test(flags)),
}));

describe.each([' ', '='])('Options that npm keeps are refused, typed with %j', (between) => {
  /** What npm passes on for the options of all commands. */
  let all: NodeJS.ProcessEnv = {};

  beforeAll(async () => {
    const options = [...new Set(commands.flatMap((command) => command.options))];
    const typed = options.map((option) => option.replace(/ <.*>$/, `${between}1`));
    ({ env: all } = await passedOn(...typed.flatMap((option) => option.split(' '))));
  });

  it.each(commands)('by admin $words', ({ words, options }) => {
    expect(options.length).toBeGreaterThan(0);
    const variables = options
      .map(variableOf)
      .map((name): [string, string | undefined] => [name, all[name]]);
    const flags = options.map((option) => option.replace(/ <.*>$/, ''));
    expect(namedIn(refusal(words, Object.fromEntries(variables)))).toEqual(flags.sort());
  });
});

it.each([
  [['tokens', 'reset', '-a'], ['--all']],
  [['audit', '--no-remote'], ['--remote']],
  // A read-only key must not be issued with the scope write.
  [['--scope', 'read', 'key', 'issue', NOBODY], ['--scope']],
  // An option of another command.
  [['key', 'revoke', NOBODY, '--overlap=7d'], ['--overlap']],
])('npm run admin %j is refused', async (line, options) => {
  const { words, env } = await passedOn(...line);
  expect(namedIn(refusal(words, env))).toEqual(options);
});

it('npm run dev --port=1 --persist-to=x is refused', async () => {
  const { words, env } = await passedOn('--port=1', '--persist-to=x');
  const { code, stdout, stderr } = await runScriptWith(env, 'dev', ...words);
  expect([code, stdout, namedIn(stderr)]).toEqual([1, '', ['--persist-to', '--port']]);
});

it.each([
  ['the option itself', ['audit', '--json'], { npm_config_json: 'true' }],
  ['a setting for npm', ['audit'], { npm_config_scope: '@acme', npm_config_yes: 'true' }],
  ['a setting that is off', ['brand', 'delete', NOBODY, '--json'], { npm_config_yes: '' }],
])('%s is not refused', (_, words, variables) => {
  expect(refusal(words, variables)).toBe('');
});
