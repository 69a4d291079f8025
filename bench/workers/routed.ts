import { sha256 } from '../../src/hash/sha256.ts';
import { answer } from './bare-operations.ts';
import { runOn } from './bare.ts';
import { layered, respondIn } from './layered.ts';

// The bare Worker's operations behind the service's router, request id, log and headers.

export default layered(
  () => undefined,
  async (c) => {
    const db = c.env.DB.withSession('first-primary');
    const apiKey = c.req.raw.headers.get('Authorization')?.slice('Bearer '.length) ?? '';
    const response = await answer(c.req.raw, c.req.param('id'), {
      keyHash: await sha256(apiKey),
      run: runOn(db),
      respond: respondIn(c),
    });
    response.headers.set('x-d1-bookmark', db.getBookmark() ?? '');
    return response;
  },
);
