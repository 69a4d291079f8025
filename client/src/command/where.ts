import { InvalidArgumentError } from 'commander';

export interface FieldValue {
  readonly field: string;
  readonly value: string;
}

/**
 * Parses one `FIELD=VALUE` of several, for commander.
 * @throws InvalidArgumentError if it is none
 */
export function fieldValues(
  text: string,
  before: readonly FieldValue[] = [],
): readonly FieldValue[] {
  const [, field, value] = /^(\w+)=(.+)$/s.exec(text) ?? [];
  if (field === undefined || value === undefined) {
    throw new InvalidArgumentError('Write FIELD=VALUE, such as sku=ROPE-10.');
  }
  return [...before, { field, value }];
}

/** Returns the values of each field. Several values of one field mean any of them. */
export function valuesByField(where: readonly FieldValue[] = []): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const { field, value } of where) values.set(field, [...(values.get(field) ?? []), value]);
  return values;
}
