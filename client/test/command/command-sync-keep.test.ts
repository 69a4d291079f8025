import { expect, it } from 'vitest';
import { record, records } from '../../../test/node/processes.ts';
import { item, items } from '../items.ts';
import { shop } from './command-shop.ts';

const BY_SKU = ['--match', 'sku'];

it('`sync --keep` leaves the fields of what exists alone, and takes those of what is new', async () => {
  const { sync, products } = await shop(items(1));
  const wanted = [item('S-0', 7), item('N', 7)].map((one) => ({
    ...one,
    title: 'From the store',
    description: 'New',
  }));
  const words = [...BY_SKU, '--keep', 'title,priceCents', '--keep', 'description'];
  for (const count of ['1 created, 0 updated, 1 unchanged', '0 created, 0 updated, 2 unchanged']) {
    const { code, stdout } = await sync(wanted, words);
    expect([code, stdout]).toEqual([0, `${count}.\n`]);
  }
  expect(await products()).toMatchObject([
    { sku: 'S-0', title: 'Product S-0', priceCents: 1, description: '' },
    { sku: 'N', title: 'From the store', priceCents: 7, description: 'New' },
  ]);
});

it.each([
  ['colour', /--keep colour: products have no such field/],
  ['createdAt', /--keep createdAt: products have no such field/],
  ['currencyCode', /--keep currencyCode needs priceCents too/],
  ['sku', /--keep sku: it is the field to match by/],
  ['title,', /names of fields such as title,description/],
])('`sync --keep` refuses a field that it cannot keep: %s', async (fields, sentence) => {
  const { sync } = await shop();
  const { code, stdout, stderr } = await sync(items(1), [...BY_SKU, '--keep', fields]);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(sentence)]);
});

it('`sync --keep` refuses the field that an export matches by', async () => {
  const { sync } = await shop();
  const file = 'Handle,Title,Variant SKU,Variant Price\na,A,S,1.50\n';
  const { code, stderr } = await sync(file, ['--keep', 'handle']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--keep handle: it is the field')]);
});

const words = [...BY_SKU, '--delete', '--dry-run'];

it('`sync --dry-run` prints each creation, each change with old and new value, and each deletion', async () => {
  const { sync, skus } = await shop(items(4));
  const text = 'x'.repeat(300);
  const wanted = [
    item('S-0'),
    { ...item('S-1', 9), title: 'Other', description: `${text}1${text}` },
    item('S-2'),
    item('N'),
  ];
  const { code, stdout } = await sync(wanted, words);
  expect([code, stdout]).toEqual([
    0,
    [
      'create: N: Product N',
      'update: S-1: Product S-1',
      '  title: "Product S-1" → "Other"',
      '  priceCents: 1 → 9',
      `  description: "" → "${'x'.repeat(119)}…`,
      'delete: S-3: Product S-3',
      'Would be: 1 created, 1 updated, 2 unchanged, 1 deleted.',
      '',
    ].join('\n'),
  ]);
  expect(await skus()).toHaveLength(4);
});

it('`sync --dry-run` shows long values where they differ', async () => {
  const { sync, client } = await shop(items(1));
  const text = 'x'.repeat(300);
  const description = `${text}1 old`;
  await client.products.push([{ sku: 'S-0', description }], { match: 'sku' });
  const { stdout } = await sync([{ ...item('S-0'), description: `${text}2 new` }], words);
  const shared = 'x'.repeat(20);
  expect(stdout).toContain(`  description: …${shared}1 old" → …${shared}2 new"\n`);
});

it('`sync --dry-run` prints what is withheld, and twenty of each kind unless --verbose', async () => {
  const { sync } = await shop(items(60));
  const wanted = [...items(35), ...items(30).map(({ sku }) => item(`N-${sku}`))];
  const short = await sync(wanted, words);
  expect(short.code).toBe(1);
  const lines = short.stdout.split('\n');
  expect(lines.filter((line) => line.startsWith('create: '))).toHaveLength(21);
  expect(lines).toContain('create: 10 more (--verbose prints them all)');
  expect(lines).toContain('withhold: S-35: Product S-35');
  expect(lines).toContain('withhold: 5 more (--verbose prints them all)');
  const whole = await sync(wanted, [...words, '--verbose']);
  expect(whole.stdout.match(/^create: N-/gm)).toHaveLength(30);
  expect(whole.stdout.match(/^withhold: S-/gm)).toHaveLength(25);
  const { stdout } = await sync(wanted, [...words, '--json']);
  const changes = records(record(JSON.parse(stdout))['changes']);
  expect(changes).toHaveLength(55);
  expect(changes[0]).toEqual({
    action: 'create',
    key: 'N-S-0',
    id: null,
    title: 'Product N-S-0',
    fields: {
      sku: [null, 'N-S-0'],
      title: [null, 'Product N-S-0'],
      priceCents: [null, 1],
    },
  });
});

/** What somebody reads of an SKU that would clear the screen and write a line of its own. */
const evil = 'x\u001b[2J\u202e\u2028\nrefused: all is well';
const shown = String.raw`x\u{1b}[2J\u{202e}\u{2028}\u{a}refused: all is well`;

it.each([
  ['unsupported', 30, (sku: string) => ({ sku, id: 1, name: 'A', type: 'grouped' })],
  ['skipped', 30, (sku: string) => ({ sku, id: 1, name: 'A', type: 'simple', status: 'other' })],
  ['refused', 30, (sku: string) => ({ ...item(sku), priceCents: -1 })],
  ['doubtful', 30, (sku: string) => ({ sku, id: 1, name: 'A', type: 'simple', status: 'other' })],
])('The report of a sync names twenty of a kind: %s', async (kind, count, make) => {
  const { sync } = await shop();
  const all = items(count).map(({ sku }) => ({
    ...make(sku),
    ...(kind !== 'refused' && { regular_price: '1' }),
  }));
  const content = kind === 'doubtful' ? [...all, ...items(count).map(({ sku }) => ({ sku }))] : all;
  const isNamed = (line: string): boolean =>
    kind === 'doubtful'
      ? line.startsWith('What is at')
      : /: S-\d+: /.test(line) && line.startsWith(kind);
  const short = (await sync(content, BY_SKU)).stdout.split('\n');
  expect(short.filter(isNamed)).toHaveLength(20);
  expect(short).toContain(`${kind}: 10 more (--verbose prints them all)`);
  const whole = (await sync(content, [...BY_SKU, '--verbose'])).stdout.split('\n');
  expect(whole.filter(isNamed)).toHaveLength(count);
});

it('The report of a sync has no character that acts on a terminal, as text and as JSON', async () => {
  const { sync, client } = await shop();
  await client.products.create({ ...item('D'), description: 'a\u202e\u2028b' });
  const content = [
    item('A'),
    { ...item(evil), priceCents: -1 },
    { sku: 'D', description: 'c\u200f\u2029\td' },
  ];
  const words = [...BY_SKU, '--dry-run'];
  const { stdout: text } = await sync(content, words);
  expect(text).toContain(`refused: ${shown}: `);
  const { stdout: json } = await sync(content, [...words, '--json']);
  for (const printed of [text, json]) {
    expect(printed.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
  }
  const document = record(JSON.parse(json));
  expect(records(document['refused']).map(({ key }) => key)).toEqual([shown]);
  expect(records(document['changes'])[1]?.['fields']).toEqual({
    description: ['a\u202e\u2028b', 'c\u200f\u2029\td'],
  });
});
