import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getPlatformProxy } from 'wrangler';
import * as z from 'zod';
import { createBrand, databaseOn } from '../../admin/src/index.ts';
import { app } from '../../src/app.ts';
import { sha256 } from '../../src/hash.ts';
import type { Env } from '../../src/http/api-env.ts';
import { interceptD1 } from '../../test/support/intercept-d1.ts';
import { migratedFolder } from '../../test/node/pool.ts';
import type { TemporaryFolder } from '../../test/node/processes.ts';
import { withMarkedParts } from '../build/marked-part.ts';

// Prints the blocks of "How one PATCH becomes SQL" in docs/architecture.md: what the code sends to D1, and what comes back.

const PAGE = 'docs/architecture.md';

/** What differs in each run, and what is printed for it. */
const ID = '01980000-0000-7000-8000-000000000002';
const REVISION = '01980000-0000-7000-8000-000000000002';
const TRY_ID = '5f0c8a52-6a0e-4d0b-9f0e-3b1f6f8e4c11';
const BRAND_ID = '01980000-0000-7000-8000-000000000001';
const TIME = '2026-01-31T09:30:00.000Z';

let folder: TemporaryFolder;
let proxy: Awaited<ReturnType<typeof getPlatformProxy<Env>>>;

beforeAll(async () => {
  folder = await migratedFolder();
  proxy = await getPlatformProxy<Env>({ persist: { path: join(folder.path, 'v3') } });
});

afterAll(async () => {
  await proxy.dispose();
  await folder.remove();
});

/** A statement as D1 gets it. */
interface Sent {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

const created = z.object({ couponCode: z.object({ id: z.string() }) });
const results = z.array(z.object({ results: z.array(z.record(z.string(), z.unknown())) }));

it('The page docs/architecture.md shows what the code makes of a PATCH', async () => {
  const { apiKey, brandId } = await createBrand(databaseOn(proxy.env.DB, 'tests'), 'Acme');
  const sent: Sent[] = [];
  let text = '';
  let answers: z.output<typeof results> = [];
  const DB = interceptD1(
    proxy.env.DB,
    async (call) => {
      const answer = await call();
      answers = results.parse(answer);
      return answer;
    },
    (method, args) => {
      if (method === 'prepare') text = String(args[0]);
      if (method === 'bind') sent.push({ text, parameters: args });
    },
  );
  const limiter = { limit: () => Promise.resolve({ success: true }) };
  const env = { DB, KEY_RATE_LIMIT: limiter, FAILURE_RATE_LIMIT: limiter };
  const send = (
    method: string,
    path: string,
    body: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> =>
    Promise.resolve(
      app.request(
        `https://api.example.com/api/brand/v1${path}`,
        {
          method,
          body,
          headers: {
            Authorization: `Bearer ${apiKey}`,
            'Content-Length': String(body.length),
            ...headers,
          },
        },
        env,
      ),
    );

  const made = await send('POST', '/coupon-codes', '{"code":"SAVE10","discountPercent":10}');
  const { id } = created.parse(await made.json()).couponCode;
  sent.length = 0;
  const body = '{ "active": false }';
  const headers = { 'If-Match': made.headers.get('ETag') ?? '' };
  const answer = await send('PATCH', `/coupon-codes/${id}`, body, headers);
  const resource: unknown = await answer.json();
  const tryId = (answer.headers.get('ETag') ?? '').slice(1, -1);

  const keyHash = await sha256(apiKey);
  const printed = [
    [tryId, TRY_ID],
    [id, ID],
    [brandId, BRAND_ID],
    [keyHash, 'the SHA-256 of the key'],
  ] as const;
  const print = (shown: string): string =>
    printed
      .reduce((all, [found, stable]) => all.replaceAll(found, stable), shown)
      .replaceAll(/\b20\d\d-\d\d-\d\dT[\d:.]+Z/g, TIME);
  const json = (value: unknown): string =>
    `\`\`\`json\n${print(JSON.stringify(value, undefined, 2))}\n\`\`\``;

  // The names of the parameters by their values, which are all different.
  const names = new Map<unknown, string>([
    [keyHash, 'keyHash'],
    [tryId, 'tryId'],
    [id, 'id'],
    [`["${id}"]`, 'ifMatch'],
    ['[]', 'ifNoneMatch'],
    [0, 'field.active'],
    ['coupon-codes', 'path'],
    ['write', 'access'],
    [null, 'newUnique'],
  ]);
  const nameOf = (value: unknown): string => names.get(value) ?? 'now';
  const values = new Map<string, unknown>();
  /** Returns a statement with the names of its parameters. */
  const named = ({ text: whole, parameters }: Sent): string => {
    for (const value of parameters) values.set(nameOf(value), value);
    return whole.replaceAll(
      /\?(\d+)/g,
      (_, number: string) => `:${nameOf(parameters[Number(number) - 1])}`,
    );
  };
  const [key, update, select, ...others] = sent;
  if (!key || !update || !select) throw new Error('There are no three statements.');
  expect([answer.status, others]).toEqual([200, []]);
  const rows = answers.map((one) => one.results);
  const [, may = ''] = / as "movedTo", (.+) as "may" /.exec(named(key)) ?? [];
  expect(may).toContain('"api_keys"."hash" = :keyHash');
  const sql = (one: string): string => `\`\`\`sql\n${linesOf(one).join('\n')}\n\`\`\``;
  // The condition on the key is the same in all statements, and printed once.
  const withoutMay = (one: Sent): string => {
    expect(named(one)).toContain(may);
    return sql(named(one).replace(may, '(/* may */)'));
  };

  const parts = {
    'patch-request': `\`\`\`http\nPATCH /api/brand/v1/coupon-codes/${ID}\nAuthorization: Bearer bik_…\nIf-Match: "${REVISION}"\n\n${body}\n\`\`\``,
    'patch-key': sql(named(key)),
    'patch-update': withoutMay(update),
    'patch-select': withoutMay(select),
    'patch-parameters': json(Object.fromEntries(values)),
    'patch-rows': json(rows),
    'patch-response': `\`\`\`http\n${answer.status}\nETag: "${TRY_ID}"\n\n${print(JSON.stringify(resource))}\n\`\`\``,
  };
  await expect(
    await withMarkedParts(PAGE, parts),
    `to write what the code does now into ${PAGE}: npm test -- tools/test/one-patch.test.ts --update`,
  ).toMatchFileSnapshot(join('../..', PAGE));
});

it('The page docs/architecture.md explains words that are in the files that it names', async () => {
  const [, table = ''] = (await readFile(PAGE, 'utf8')).split('### The words');
  const rows = [...table.matchAll(/^\| `(\w+)` .* \| `([\w-]+\.ts)` +\|$/gm)];
  expect(rows.length).toBeGreaterThan(5);
  for (const [, word = '', file = ''] of rows) {
    expect(await readFile(join('src/db', file), 'utf8'), file).toMatch(new RegExp(`\\b${word}\\b`));
  }
});

/** The width of a line of SQL. */
const WIDTH = 100;

/** The clauses of a statement. */
const CLAUSE = / (?=(?:set|from|where|returning) )/y;

/** Where a statement that is too long for a line is broken: the first of these that it has outside of parentheses. */
const BREAKS = [CLAUSE, /(?<=,) /y, / (?=(?:and|or) )/y];

/** Breaks a statement into lines. */
function linesOf(text: string, indent = ''): string[] {
  if (indent.length + text.length <= WIDTH) return [indent + text];
  const inner = `${indent}  `;
  for (const at of BREAKS) {
    const [first = '', ...more] = partsOf(text, at);
    if (more.length === 0) continue;
    const isList = at !== CLAUSE && /^(?:select|set|where) /.test(first);
    return [first, ...more].flatMap((part, index) =>
      linesOf(part, isList && index > 0 ? inner : indent),
    );
  }
  const [from, to] = longestGroup(text);
  if (to <= from) return [indent + text];
  return [
    indent + text.slice(0, from),
    ...linesOf(text.slice(from, to).trim(), inner),
    ...linesOf(text.slice(to), indent),
  ];
}

/** Splits a text where a pattern matches outside of parentheses. */
function partsOf(text: string, at: RegExp): string[] {
  const parts: string[] = [];
  let [begin, depth] = [0, 0];
  for (let index = 0; index < text.length; index++) {
    depth += Number(text[index] === '(') - Number(text[index] === ')');
    at.lastIndex = index;
    if (depth > 0 || !at.test(text)) continue;
    parts.push(text.slice(begin, index));
    begin = index + 1;
  }
  return [...parts, text.slice(begin)];
}

/** Where the longest text in parentheses begins and ends. */
function longestGroup(text: string): readonly [from: number, to: number] {
  let [best, from, depth]: [readonly [number, number], number, number] = [[0, 0], 0, 0];
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '(' && depth++ === 0) from = index + 1;
    if (text[index] !== ')' || --depth > 0) continue;
    if (index - from > best[1] - best[0]) best = [from, index];
  }
  return best;
}
