import * as fc from 'fast-check';
import { fuzzedInteger, fuzzedSingleLine } from '../model-fields.ts';
import { widgetFields } from '../fields/widgets.ts';
import { defaultsOf, valuesOf } from '../fields/row.ts';
import type { TestCollection } from './collection.ts';

/** The collection that only tests have. What the service needs of it is in `test/fixtures/widgets.ts`. */
export const widgets: TestCollection = {
  path: '/widgets',
  table: 'widgets',
  noun: 'Widget',
  idParameter: 'widgetId',
  one: 'widget',
  many: 'widgets',
  deleted: 'deletedWidgetId',
  deletedMany: 'deletedWidgetIds',
  showsTimes: true,

  bare: (n) => ({ name: `W${n}` }),
  fields: widgetFields,
  full: valuesOf(widgetFields),
  defaults: defaultsOf(widgetFields),
  resetByPut: ['size'],
  values: { name: (n) => `W${n}` },
  key: 'name',
  isUnique: true,
  note: 'colour',
  sourceTime: undefined,
  model: {
    name: {
      ...fuzzedSingleLine(1, 20),
      drawn: fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom('MARKa', 'MARKA', 'gear', 'Gear', ' MARKb ') },
        { weight: 1, arbitrary: fuzzedSingleLine(1, 20).drawn },
      ),
    },
    size: { ...fuzzedInteger(0, 2_147_483_647), default: 5 },
    label: { ...fuzzedSingleLine(1, 20), derive: ({ name }) => name },
    colour: { ...fuzzedSingleLine(3, 20), default: null },
  },
};
