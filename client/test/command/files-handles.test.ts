import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { variantHandle } from '../../src/stores/variant-names.ts';
import { handle } from '../../../src/fields/internet.ts';
import { random } from '../../../test/support/random.ts';

it.each([
  [[], 'a'],
  [['M'], 'a-m'],
  [['XXL'], 'a-xxl'],
  [['Galaxy S20'], 'a-galaxy-s20'],
  [['64GB', 'Black'], 'a-64gb-black'],
  [['Light Blue'], 'a-light-blue'],
  [['Light Blue', 'M'], 'a-light-blue-m'],
  [['M', 'Off White'], 'a-m-off-white'],
  [['Off White', 'Cotton', '42'], 'a-off-white-cotton-42'],
  [['light blue'], 'a-light-blue'],
  [['Light', 'Blue M'], 'a-light-blue-m'],
  [['One size'], 'a-one-size'],
  [['Off-White'], 'a-off-white'],
  [['off_white'], 'a-off-white'],
  [['Rosé'], 'a-rose'],
  [['Weiß'], 'a-weiss'],
  [['30cm'], 'a-30cm'],
  [['T', 'RED'], 'a-t-red'],
  [['Red', ''], 'a-red'],
  [['סל'], 'a-סל'],
  [['Синий'], 'a-синий'],
])('The handle of a variant is made of its values: %j, %s', (values, expected) => {
  expect(variantHandle('a', values)).toBe(expected);
});

it.each([
  [['Galaxy S20+'], /^a-galaxy-s20-\w{6}$/],
  [['Größe 1/2'], /^a-grosse-1-2-\w{6}$/],
  [['🔴'], /^a-\w{6}$/],
  [['X'.repeat(300)], /^a-x{246}-\w{6}$/],
])(
  'The handle of a variant has a suffix if the slug loses something of its values: %j',
  (values, expected) => {
    expect(variantHandle('a', values)).toMatch(expected);
  },
);

it.each([
  ['S20', 'S20+'],
  ['+1.50', '-1.50', '1.50'],
  ['-5', '5'],
  ['-,5', ',5'],
  ['C', 'C#', 'C++'],
  ['1/2', '1-2'],
  ['🔴', '🔵'],
  ['ø', 'o'],
])('The handle of a variant is another one for other values: %s, %s, …', (...values) => {
  const handles = values.map((value) => variantHandle('a', [value]));
  expect(new Set(handles).size).toBe(values.length);
});

it.each([
  [['Red'], ['RED'], ['Réd'], ['Re\u0301d'], ['', 'red']],
  [['Off White'], ['off-white'], ['Off', 'White'], ['off_ white']],
  [['S20+'], ['s20+'], ['S20', '+']],
  [['Weiß'], ['WEISS']],
  [['- Red'], ['-Red'], ['Red']],
])(
  'The handle of a variant is one for values that differ in spelling alone: %j, %j, …',
  (...all) => {
    expect(new Set(all.map((values) => variantHandle('a', values))).size).toBe(1);
  },
);

/** What the values say, without their spelling. */
function saidBy(values: readonly string[]): string {
  const letters = values
    // That is a minus sign, and no hyphen.
    .map((one) => one.replace(/^-(?=\d)/, '−'))
    .join('')
    .normalize('NFD')
    .replace(/[\p{M}\s_-]/gu, '');
  return letters.toUpperCase().toLowerCase();
}

const word = fc.constantFrom(
  'Light',
  'light',
  'Blue',
  'M',
  'm',
  '+',
  '1',
  '-1',
  '/',
  '🔴',
  'é',
  'ß',
  'ס',
);
const value = fc.oneof(
  fc.array(word, { maxLength: 3 }).map((words) => words.join(' ')),
  fc.string({ unit: 'binary', maxLength: 300 }),
);

it('The handle of a variant is another one for values that say something else, and one that the service takes', () => {
  const values = fc.integer({ min: 1, max: 3 }).chain((count) => {
    const one = fc.array(value, { minLength: count, maxLength: count });
    return fc.tuple(one, one);
  });
  fc.assert(
    fc.property(fc.constantFrom('a', 'a'.repeat(255)), values, (product, [one, other]) => {
      const made = variantHandle(product, one);
      if (!/\p{M}{9}/u.test(made)) expect(z.parse(handle(), made)).toBe(made);
      expect(variantHandle(product, one)).toBe(made);
      if (saidBy(one) !== saidBy(other)) expect(variantHandle(product, other)).not.toBe(made);
    }),
    random(1000),
  );
});
