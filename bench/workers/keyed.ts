import { authenticated, bookmarked } from '../../src/auth/authenticated.ts';
import { limitFailedAuthentication } from '../../src/auth/rate-limits.ts';
import type { BoundStatement, KeyedSelect } from '../../src/db/statement.ts';
import type { Bound } from './bare-operations.ts';
import { answer } from './bare-operations.ts';
import { layered, respondIn } from './layered.ts';

// The same with the service's check of the key, its rate limits and its session, which retries.

export default layered(
  (app) => app.use('/api/brand/v1/*', limitFailedAuthentication, authenticated, bookmarked),
  (c) =>
    answer(c.req.raw, c.req.param('id'), {
      keyHash: c.get('keyHash'),
      run: async (work, keyed) => {
        const results = await c.get('session').run(work.map(boundStatement), boundStatement(keyed));
        return [...results.rows, results.keyRows];
      },
      respond: respondIn(c),
    }),
);

function boundStatement([text, parameters]: Bound): BoundStatement<KeyedSelect> {
  const names = parameters.map((_, index) => String(index));
  const values = Object.fromEntries(parameters.map((value, index) => [String(index), value]));
  return { statement: { text, names, includesKey: true }, values };
}
