import type { Schema, Schemas } from './schema.ts';

// The fields that only the service assigns.

/** The id of a resource. */
export const id: Schema = {
  type: 'string',
  format: 'uuid',
  description: 'A lower-case UUID, assigned by the service.',
};

const time = (description: string): Schema => ({
  type: 'string',
  format: 'date-time',
  description,
});

/** The times of creation and change. */
export const times: Schemas = {
  createdAt: time('When it was created, in UTC with milliseconds.'),
  updatedAt: time('When it last changed, in UTC with milliseconds.'),
};

/** The same fields in a request body. */
export const readOnlyFields: Schemas = Object.fromEntries(
  Object.entries({ id, ...times }).map(([name, { description }]) => [
    name,
    {
      readOnly: true,
      description: `${String(description)} It is ignored in a request, so that the response of a GET can be sent back.`,
    },
  ]),
);
