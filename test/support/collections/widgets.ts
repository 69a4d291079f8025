import * as fc from 'fast-check';
import { fuzzedText } from '../fields/fuzzed.ts';
import { modelOf } from '../model-fields.ts';
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
  model: modelOf(
    widgetFields,
    { label: ({ name }) => name },
    {
      name: fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom('MARKa', 'MARKA', 'gear', 'Gear', ' MARKb ') },
        { weight: 1, arbitrary: fuzzedText },
      ),
    },
  ),
};
