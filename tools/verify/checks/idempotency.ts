import { isDeepStrictEqual } from 'node:util';
import { described, listMember } from '../answer.ts';
import type { Check } from '../check.ts';
import { testCollections } from '../resources.ts';

/** Checks a POST that is repeated with its `Idempotency-Key`: the same response, and nothing is created twice. */
export const idempotency: Check = {
  name: 'Idempotency-Key',
  writes: true,
  async run({ service, fail, mark }) {
    for (const { path, many, input, patch, filter } of testCollections) {
      const body = input(mark);
      const headers = { 'Idempotency-Key': `${mark}-${many}` };
      const first = await service.expect(201, 'POST', path, { body, headers });
      const second = await service.expect(201, 'POST', path, { body, headers });
      if (!isDeepStrictEqual(first.body, second.body)) fail(`${described(second)}: another answer`);
      if (second.headers.get('Idempotent-Replayed') !== 'true') {
        fail(`${described(second)}: the header Idempotent-Replayed is missing`);
      }
      const listed = await service.expect(200, 'GET', `${path}?${filter(mark)}`);
      const { length } = listMember(listed.body, many);
      if (length !== 1) fail(`${path}: created ${length} times`);
      await service.expect(422, 'POST', path, { body: { ...body, ...patch }, headers });
    }
  },
};
