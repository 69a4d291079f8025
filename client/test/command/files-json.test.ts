import { expect, it } from 'vitest';
import { Failure } from '../../../common/failure.ts';
import type { ReadOptions } from '../../src/stores/source.ts';
import type { ContentSaid } from './content-said.ts';
import { readText } from './read-text.ts';

function read(text: string, options: Partial<ReadOptions> = {}): ContentSaid {
  return readText(text, { match: 'sku', ...options });
}

const items = [{ sku: 'A', title: 'a' }, { sku: 'B' }];

it.each([
  ['a JSON list', JSON.stringify(items, null, 2), 'json'],
  ['a list in an object', JSON.stringify({ products: items }), 'json'],
  ['NDJSON with mixed line ends', '{"sku":"A","title":"a"}\r\n\n{"sku":"B"}\n', 'ndjson'],
  ['text with a byte order mark', `\uFEFF${JSON.stringify(items)}`, 'json'],
])('Items are read from each form of JSON: %s', (_, text, format) => {
  expect(read(text)).toEqual({
    format,
    items,
    places: format === 'json' ? ['item 1', 'item 2'] : ['line 1', 'line 3'],
    skipped: [],
    stays: [],
    doubts: [],
    notes: [],
    isOfStore: false,
    match: 'sku',
    source: undefined,
  });
});

it('Items are read from one line of NDJSON, and from a list of coupon codes', () => {
  expect(read('{"sku":"A"}').items).toEqual([{ sku: 'A' }]);
  const text = '{"couponCodes":[{"code":"X"}]}';
  const { items, match } = read(text, { collection: 'coupon-codes', match: undefined });
  expect([items, match]).toEqual([[{ code: 'X' }], undefined]);
});

it('Items are read from an empty list', () => {
  expect(read('[]')).toMatchObject({ items: [], skipped: [], doubts: [] });
});

const KEYLESS =
  '1 product has no sku that can be read, so nobody can tell which product of the service it is.';
const UNREADABLE = (what: string): string =>
  `1 ${what} cannot be read, so nobody can tell what it means.`;
const NUMBER = 'Write it in quotation marks, as a string.';

it.each([
  ['of no key', '[{"sku":"A"},{"title":"a"}]', null, 'Item 2 has no sku.', [KEYLESS]],
  ['of an empty key', '[{"sku":""}]', null, 'Item 1 has no sku.', [KEYLESS]],
  ['with a number', '[{"sku":1}]', null, `Item 1: its sku is a number. ${NUMBER}`, [KEYLESS]],
  [
    'with a number that is not exact',
    '[{"sku":3791411052119578828}]',
    null,
    `Item 1: its sku is a number, and none that is exact. ${NUMBER}`,
    [KEYLESS],
  ],
  ['with another value', '[{"sku":["A"]}]', null, 'Item 1: its sku is not a string.', [KEYLESS]],
  ['that are no objects', '[1]', null, 'Item 1 is not a JSON object.', [UNREADABLE('item')]],
  ['cut off', '{"sku":"A"}\n\n{"sku":"B', null, 'Line 3 is not valid JSON.', [UNREADABLE('line')]],
  [
    'that are deletions',
    '[{"sku":"A","deleted":true}]',
    'A',
    'Item 1 has "deleted": leave it out of the list instead.',
    [],
  ],
  [
    'that are deletions of what is unknown',
    '[{"deleted":true}]',
    null,
    'Item 1 has "deleted": leave it out of the list instead.',
    [KEYLESS],
  ],
])('Values that are no items are skipped: %s', (_, text, key, reason, doubts) => {
  const file = read(text);
  expect(file.skipped[0]).toEqual({ key, reason, kind: 'problem' });
  expect(file.doubts).toEqual(doubts);
});

it.each([
  ['{"sku":"A"}\n{"sku":"B"}', 2],
  ['{"sku":"A"}', 1],
])('NDJSON whose last line has no end may have been cut off: %j', (text, line) => {
  const sentence = `Line ${line}, the last one, has no line end, so the file may have been cut off. If it is complete, use --whole.`;
  const file = read(text, { whole: false });
  expect([file.items.length, file.doubts]).toEqual([line, [sentence]]);
  expect(read(`${text}\n`, { whole: false }).doubts).toEqual([]);
});

it('JSON cannot have been cut off, so it needs no line end', () => {
  expect(read('[{"sku":"A"}]', { whole: false }).doubts).toEqual([]);
});

it('Lists that come one after the other are one list', () => {
  const { items, places } = read('[{"sku":"A","title":"\\"]"}][{"sku":"B"}]\n[]');
  expect(items.map(({ sku }) => sku)).toEqual(['A', 'B']);
  expect(places).toEqual(['item 1', 'item 2']);
});

it('A message between two lists is no part of them: a page is missing there', () => {
  expect(() => read('[{"sku":"A"}]\ncurl: (22) error: 500\n[{"sku":"C"}]')).toThrow(
    'The file is not valid JSON. It may have been cut off.',
  );
});

it('Values are taken as they are', () => {
  expect(read('[{"sku":" A","title":1,"description":" A\\u0000"}]').items).toEqual([
    { sku: ' A', title: 1, description: ' A\0' },
  ]);
});

it.each([
  ['', 'The file is empty.'],
  [' \uFEFF\n', 'The file is empty.'],
  ['[{"sku":"A"},{"sku', 'The file is not valid JSON. It may have been cut off.'],
  ['{"products":[{"sku":"A"},', 'The file is not valid JSON. It may have been cut off.'],
  [
    '{"code":"rate_limited","message":"Try later"}',
    'The file is a JSON object without a list "products", and no item: there is no field code.',
  ],
  [
    '{"couponCodes":[]}',
    'The file is a JSON object without a list "products", but a list "couponCodes". Is --collection coupon-codes meant?',
  ],
])('A file that is no list of items is refused: %j', (text, sentence) => {
  expect(() => read(text)).toThrow(new Failure(sentence));
});
