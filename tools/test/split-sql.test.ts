import { globSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { blocksOf } from '../../test/node/markdown.ts';
import { splitAsCloudflare } from './split-sql.ts';

// What Cloudflare takes and refuses otherwise than wrangler and SQLite do, and that docs/deploying.md keeps to it.

/** Runs a text in a new database as Cloudflare does, and returns the rows of each statement. */
function run(...texts: readonly string[]): unknown[][] {
  const database = new DatabaseSync(':memory:');
  return texts
    .flatMap((text) => splitAsCloudflare(text))
    .map((statement) => database.prepare(statement).all());
}

const TABLES = 'create table a (id integer, value text);\ncreate table b (id integer);';
const BODY = 'insert into b (id) values (new.id);';

it.each([
  ['begin in lower case', `create trigger t after insert on a begin ${BODY} end;`],
  ['a trigger on several lines', `create trigger t after insert on a\nBEGIN\n  ${BODY}\nEND;`],
  ['CRLF in a trigger', `create trigger t after insert on a BEGIN\r\n${BODY} END;`],
  [
    'a CASE that ends a statement of a body',
    'create trigger t after insert on a BEGIN select case when new.id then 1 end; END;',
  ],
])('Cloudflare refuses other forms of a trigger: %s', (_, trigger) => {
  expect(() => run(TABLES, trigger)).toThrow('incomplete input');
});

it.each([
  ['an apostrophe in a comment', "-- a brand's\nselect 1;\nselect 2;", 'only one statement'],
  ['a semicolon in a comment', 'select 1;\n-- one; two\nselect 2;', 'contain a statement'],
  ['a comment behind the last statement', 'select 1;\n-- end', 'contain a statement'],
])('Cloudflare refuses a comment with a quotation mark or a semicolon: %s', (_, sql, says) => {
  expect(() => run(sql)).toThrow(says);
});

it.each([
  ['a trigger on one line', `${TABLES} CREATE TRIGGER t AFTER INSERT ON a BEGIN ${BODY} END;`, 3],
  ['a comment', '-- one, two\nselect 1;\n\n-- three\nselect 2;', 2],
  ['quoted semicolons', `select 'a;b' as ";" ; select 'it''s; -- no comment';`, 2],
])('Cloudflare takes what migrations may have: %s', (_, sql, statements) => {
  expect(run(sql)).toHaveLength(statements);
});

it('Cloudflare takes the migrations', () => {
  const files = globSync('migrations/*.sql').sort();
  expect(() => run(...files.map((file) => readFileSync(file, 'utf8')))).not.toThrow();
});

it('Cloudflare takes the trigger of docs/deploying.md, and it copies what is inserted', () => {
  const trigger = blocksOf('docs/deploying.md').find(({ language }) => language === 'text');
  const columns = '(brand_id text, id text)';
  const rows = run(
    `create table a ${columns}`,
    `create table new_a ${columns}`,
    trigger?.text ?? '',
    "insert into a values ('brand', 'id')",
    'select * from new_a',
  );
  expect(rows.at(-1)).toEqual([{ brand_id: 'brand', id: 'id' }]);
});

it('Of the three forms of a trigger that docs/deploying.md tries, Cloudflare takes the first', () => {
  const block = blocksOf('docs/deploying.md').find(({ text }) =>
    text.includes('CREATE TRIGGER one'),
  );
  const [tables, one, two, three] = Array.from(
    block?.text.matchAll(/^d1 '([^']*)'/gm) ?? [],
    ([, sql = '']) => sql,
  );
  expect(run(tables ?? '', one ?? '')).not.toEqual([]);
  for (const sql of [two, three]) {
    expect(sql).toMatch(/^create trigger/i);
    expect(() => run(tables ?? '', sql ?? '')).toThrow('incomplete input');
  }
});
