import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksOf } from '../../../test/node/markdown.ts';
import type { Account } from './account.ts';
import { openAccount } from './account.ts';

// What Cloudflare takes and refuses otherwise than wrangler and SQLite do, and that docs/deploying.md keeps to it.

let account: Account;
let databases = 0;

beforeAll(async () => {
  account = await openAccount();
});

afterAll(() => account.stop());

/** Runs a text in a new database, and returns how many statements it was. */
async function run(...texts: readonly string[]): Promise<number> {
  const { uuid } = account.databases.create(`database-${++databases}`);
  let statements = 0;
  for (const text of texts) statements += (await account.databases.run(uuid, text)).length;
  return statements;
}

const TABLES = 'create table a (id integer, value text);\ncreate table b (id integer);';
const BODY = 'insert into b (id) values (new.id);';

describe('Cloudflare refuses', () => {
  it.each([
    ['begin in lower case', `create trigger t after insert on a begin ${BODY} end;`],
    ['a trigger on several lines', `create trigger t after insert on a\nBEGIN\n  ${BODY}\nEND;`],
    ['CRLF in a trigger', `create trigger t after insert on a BEGIN\r\n${BODY} END;`],
    [
      'a CASE that ends a statement of a body',
      'create trigger t after insert on a BEGIN select case when new.id then 1 end; END;',
    ],
  ])('%s', async (_, trigger) => {
    await expect(run(TABLES, trigger)).rejects.toThrow('incomplete input');
  });

  it.each([
    ['an apostrophe in a comment', "-- a brand's\nselect 1;\nselect 2;", 'only one statement'],
    ['a semicolon in a comment', 'select 1;\n-- one; two\nselect 2;', 'contain a statement'],
    ['a comment behind the last statement', 'select 1;\n-- end', 'contain a statement'],
  ])('%s', async (_, sql, says) => {
    await expect(run(sql)).rejects.toThrow(says);
  });
});

it.each([
  ['a trigger on one line', `${TABLES} CREATE TRIGGER t AFTER INSERT ON a BEGIN ${BODY} END;`, 3],
  ['a comment', '-- one, two\nselect 1;\n\n-- three\nselect 2;', 2],
  ['quoted semicolons', `select 'a;b', ";" ; select 'it''s; -- no comment';`, 2],
])('Cloudflare takes %s', async (_, sql, statements) => {
  expect(await run(sql)).toBe(statements);
});

it('Cloudflare takes the trigger of docs/deploying.md, and it copies what is inserted', async () => {
  const trigger = blocksOf('docs/deploying.md').find(({ language }) => language === 'text');
  const { uuid } = account.databases.create('documented');
  const columns = '(brand_id text, id text)';
  for (const sql of [
    `create table a ${columns}`,
    `create table new_a ${columns}`,
    trigger?.text ?? '',
    "insert into a values ('brand', 'id')",
  ]) {
    await account.databases.run(uuid, sql);
  }
  const [copy] = await account.databases.run(uuid, 'select * from new_a');
  expect(copy?.results).toEqual([{ brand_id: 'brand', id: 'id' }]);
});

it('Of the three forms of a trigger that docs/deploying.md tries, Cloudflare takes the first', async () => {
  const { uuid } = account.databases.create('forms');
  const block = blocksOf('docs/deploying.md').find(({ text }) =>
    text.includes('CREATE TRIGGER one'),
  );
  const refusals: string[] = [];
  for (const [, sql = ''] of block?.text.matchAll(/^d1 '([^']*)'/gm) ?? []) {
    await account.databases.run(uuid, sql).catch((error: unknown) => {
      refusals.push(`${sql.slice(0, 20)}: ${String(error)}`);
    });
  }
  expect(refusals).toEqual([
    expect.stringMatching(/^create trigger two .*incomplete input/),
    expect.stringMatching(/^CREATE TRIGGER three.*incomplete input/),
  ]);
});
