import { createBrand } from './operator.ts';
import { statementsOn } from './statements.ts';

/** A Worker that creates a brand at each request. Outside of the runtime, each step of a statement is a call of its own. */
export default {
  async fetch(_, { DB }) {
    return Response.json(await createBrand(statementsOn(DB), 'Raw'));
  },
} satisfies ExportedHandler<{ readonly DB: D1Database }>;
