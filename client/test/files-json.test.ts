import { describe, expect, it } from 'vitest';
import type { ReadOptions, StoreFile } from '../src/command/files/read-file.ts';
import { FileError, readFile } from '../src/command/files/read-file.ts';

function read(text: string, options: Partial<ReadOptions> = {}): StoreFile {
  return readFile(new TextEncoder().encode(text), {
    collection: 'products',
    match: 'sku',
    ...options,
  });
}

const items = [{ sku: 'A', title: 'a' }, { sku: 'B' }];

describe('Items are read from', () => {
  it.each([
    ['a JSON list', JSON.stringify(items, null, 2), 'json'],
    ['a list in an object', JSON.stringify({ products: items, more: 1 }), 'json'],
    ['NDJSON with mixed line ends', '{"sku":"A","title":"a"}\r\n\n{"sku":"B"}\n', 'ndjson'],
    ['text with a byte order mark', `\uFEFF${JSON.stringify(items)}`, 'json'],
  ])('%s', (_, text, format) => {
    expect(read(text)).toEqual({
      format,
      items,
      skipped: [],
      hasUnclearRows: false,
      notes: [],
      match: 'sku',
      source: undefined,
    });
  });

  it('one line of NDJSON, and a list of coupon codes', () => {
    expect(read('{"sku":"A"}').items).toEqual([{ sku: 'A' }]);
    const text = '{"couponCodes":[{"code":"X"}]}';
    const { items, match } = read(text, { collection: 'coupon-codes', match: undefined });
    expect([items, match]).toEqual([[{ code: 'X' }], undefined]);
  });

  it('an empty list', () => {
    expect(read('[]')).toMatchObject({ items: [], skipped: [], hasUnclearRows: false });
  });
});

it.each([
  ['of no key', '[{"sku":null},{"title":"a"}]', null, 'Item 1 has no sku.', false],
  ['that are no objects', '[1,null]', null, 'Item 1 is not a JSON object.', true],
  ['cut off', '{"sku":"A"}\n{"sku":"B', null, 'Line 2 is not valid JSON.', true],
  [
    'that are deletions',
    '[{"sku":"A","deleted":true}]',
    'A',
    'Item 1 has "deleted": leave it out of the list instead.',
    false,
  ],
  [
    'that are deletions of what is unknown',
    '[{"deleted":true}]',
    null,
    'Item 1 has "deleted": leave it out of the list instead.',
    true,
  ],
])('Values %s are skipped', (_, text, key, reason, hasUnclearRows) => {
  const file = read(text);
  expect(file.skipped[0]).toEqual({ key, reason });
  expect(file.hasUnclearRows).toBe(hasUnclearRows);
});

it('Values are taken as they are', () => {
  expect(read('[{"sku":1,"title":" A\\u0000"}]').items).toEqual([{ sku: 1, title: ' A\0' }]);
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
])('The file %j is refused', (text, sentence) => {
  expect(() => read(text)).toThrow(new FileError(sentence));
});
