import { describe } from 'vitest';
import { collections } from './support/collections.ts';
import { collectionTarget, profileTarget, testFields } from './support/field-tests.ts';
import { brandFields, connectionFields } from './support/fields/profile.ts';

// What each field accepts and refuses. The fields are in test/support/fields.

describe.each(collections)('$noun', (of) => {
  testFields(collectionTarget(of), of.fields);
});

describe('brand of the profile', () => {
  testFields(profileTarget('brand'), brandFields);
});

describe('connection of the profile', () => {
  testFields(profileTarget('connection'), connectionFields);
});
