import type { Schema } from './schema.ts';
import { exactly } from './schema.ts';

/** The text of an error. */
export const problem: Schema = {
  type: 'string',
  description: 'What is wrong, and what is expected.',
};

/** The body of every error. */
export const error: Schema = exactly({ error: problem }, 'Every error has this form.');
