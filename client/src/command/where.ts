import { InvalidArgumentError } from 'commander';

/** A field and the value that it must have. */
export interface FieldValue {
  readonly field: string;
  readonly value: string;
}

/**
 * Parses one `FIELD=VALUE` of several, for commander.
 * @throws InvalidArgumentError if it is none
 */
export function fieldValues(text: string, before: readonly FieldValue[]): readonly FieldValue[] {
  const [, field, value] = /^(\w+)=(.+)$/s.exec(text) ?? [];
  if (field === undefined || value === undefined) {
    throw new InvalidArgumentError('Write FIELD=VALUE, such as sku=ROPE-10.');
  }
  return [...before, { field, value }];
}
