import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { variantHandle } from '../../src/stores/handles.ts';
import { handle } from '../../../src/fields/handle.ts';

describe('The handle of a variant', () => {
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
    [['סל'], 'a-סל'],
    [['Синий'], 'a-синий'],
  ])('of the usual values %j is %s', (values, expected) => {
    expect(variantHandle('a', values)).toBe(expected);
  });

  it.each([
    [['m'], /^a-m-\w{6}$/],
    [['light blue'], /^a-light-blue-\w{6}$/],
    [['Galaxy S20+'], /^a-galaxy-s20-\w{6}$/],
    [['Größe 1/2'], /^a-grosse-1-2-\w{6}$/],
    [['🔴'], /^a-\w{6}$/],
    [['Light', 'Blue M'], /^a-light-blue-m-\w{6}$/],
    [['Red', ''], /^a-red-\w{6}$/],
    [['X'.repeat(300)], /^a-x{246}-\w{6}$/],
  ])('of the values %j has a suffix', (values, expected) => {
    expect(variantHandle('a', values)).toMatch(expected);
  });

  it.each([
    ['S20', 'S20+'],
    ['+1.50', '-1.50'],
    ['C', 'C#', 'C++'],
    ['1/2', '1-2', '1 2'],
    ['🔴', '🔵'],
    ['m', 'M'],
    ['Red', 'RED', 'red', 'Réd'],
    ['é', 'e\u0301', 'e'],
  ])('is another one for each of %s, %s, …', (...values) => {
    const handles = values.map((value) => variantHandle('a', [value]));
    expect(new Set(handles).size).toBe(values.length);
  });

  const word = fc.constantFrom(
    'Light',
    'light',
    'Blue',
    'M',
    'm',
    '+',
    '1',
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

  it('is another one for other values, and one that the service takes', () => {
    const values = fc.integer({ min: 1, max: 3 }).chain((count) => {
      const one = fc.array(value, { minLength: count, maxLength: count });
      return fc.tuple(one, one);
    });
    fc.assert(
      fc.property(fc.constantFrom('a', 'a'.repeat(255)), values, (product, [one, other]) => {
        const made = variantHandle(product, one);
        if (!/\p{M}{9}/u.test(made)) expect(z.parse(handle(), made)).toBe(made);
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        expect(made === variantHandle(product, other)).toBe(isSame);
      }),
      { numRuns: 1000 },
    );
  });
});
