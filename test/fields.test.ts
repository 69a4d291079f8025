import { describe } from 'vitest';
import { collections } from './support/collections.ts';
import { collectionTarget, profileTarget, testFields } from './support/field-tests.ts';
import { brandFields, connectionFields } from './support/fields/profile.ts';

// What each field accepts and refuses. The fields are in test/support/fields.

describe.each(collections)('A $noun has the field', (of) => {
  testFields(collectionTarget(of), of.fields);
});

describe('The brand of a profile has the field', () => {
  testFields(profileTarget('brand'), brandFields);
});

describe('The connection of a profile has the field', () => {
  testFields(profileTarget('connection'), connectionFields);
});
