import { integer, text } from './kinds.ts';
import type { FieldRows } from './row.ts';
import { nullable, optional, required } from './row.ts';

/** The fields of a widget. The defaults are those of `{ name: 'W1' }`. */
export const widgetFields: FieldRows = {
  name: required(text(1, 20), 'Gear'),
  size: optional(integer(0, 2_147_483_647), 12, 5),
  label: optional(text(1, 20), 'GEAR', 'W1'),
  colour: nullable(text(3, 20), 'red'),
};
