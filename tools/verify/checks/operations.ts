import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../answer.ts';
import { described, listMember, member, textMember, weak } from '../answer.ts';
import type { Check, CheckContext } from '../check.ts';
import { NotApplicable } from '../check.ts';
import type { ProfileChange } from '../cleanup.ts';
import type { TestCollection } from '../resources.ts';
import { testCollections } from '../resources.ts';

const NOBODY = '01890000-0000-7000-8000-000000000000';

/**
 * Checks the three operations on the profile. It writes the same values back, so that nothing changes, including the
 * entity tag.
 * @param keep takes a write of this check that may have changed the profile; undefined if it has not
 */
export function profile(keep: (change: ProfileChange | undefined) => void): Check {
  return {
    name: 'profile',
    writes: true,
    async run({ service, fail }) {
      const before = await service.expect(200, 'GET', '/profile');
      const compare = (answer: Answer): void => {
        if (!isDeepStrictEqual(answer.body, before.body)) {
          fail(`${described(answer)}: the profile has changed`);
        }
        if (weak(answer) !== weak(before))
          fail(`${described(answer)}: a write without a change has another ETag`);
      };
      let last = before;
      for (const [method, body] of [
        ['PUT', before.body],
        ['PATCH', {}],
      ] as const) {
        keep({ before, after: undefined });
        // So whatever has changed in the answer, this write has changed.
        const headers = { 'If-Match': last.headers.get('ETag') ?? '' };
        const answer = await service.api(method, '/profile', { body, headers });
        if (answer.status === 412 && weak(await service.api('GET', '/profile')) !== weak(last)) {
          keep(undefined);
          throw new NotApplicable('Somebody changed the profile in the meantime.');
        }
        if (answer.status !== 200) throw new Error(`${described(answer)}, expected 200.`);
        const isChanged = !isDeepStrictEqual(answer.body, before.body);
        keep(isChanged ? { before, after: answer } : undefined);
        compare(answer);
        last = answer;
      }
      compare(await service.expect(200, 'GET', '/profile'));
    },
  };
}

/** Checks the six operations on a collection. */
export function collection(names: TestCollection): Check {
  const { path, one, many, deletedOne, notFound, patch, input, filter } = names;
  return {
    name: path.slice(1),
    writes: true,
    async run({ service, fail, mark }: CheckContext) {
      const created = await service.expect(201, 'POST', path, { body: input(mark) });
      const id = textMember(created.body, one, 'id');
      const item = `${path}/${id}`;
      const read = await service.expect(200, 'GET', item);
      if (!isDeepStrictEqual(read.body, created.body))
        fail(`${described(read)}: not the same as the response to POST`);

      const listed = await service.expect(200, 'GET', `${path}?${filter(mark)}`);
      if (!isDeepStrictEqual(listed.body, { [many]: [member(created.body, one)] })) {
        fail(`${described(listed)}: not the created resource`);
      }
      const page = await service.expect(200, 'GET', `${path}?limit=1`);
      if (listMember(page.body, many).length !== 1)
        fail(`${described(page)}: not exactly one resource`);

      const patched = await service.expect(200, 'PATCH', item, { body: patch });
      const isChanged = Object.entries(patch).every(
        ([field, value]) => member(patched.body, one, field) === value,
      );
      if (!isChanged) fail(`${described(patched)}: not changed as requested`);
      const replaced = await service.expect(200, 'PUT', item, { body: member(patched.body, one) });
      if (weak(replaced) !== weak(patched)) {
        fail(`${described(replaced)}: the same fields have another ETag`);
      }

      const deleted = await service.expect(200, 'DELETE', item);
      if (!isDeepStrictEqual(deleted.body, { [deletedOne]: id, success: true })) {
        fail(`${described(deleted)}: not { ${deletedOne}, success }`);
      }
      for (const gone of [item, `${path}/${NOBODY}`]) {
        const answer = await service.expect(404, 'GET', gone);
        if (member(answer.body, 'error') !== notFound)
          fail(`${described(answer)}: not “${notFound}”`);
      }
    },
  };
}

/** Checks what a read-only key can do. */
export const reads: Check = {
  name: 'reads',
  async run({ service }) {
    await service.expect(200, 'GET', '/profile');
    for (const { path } of testCollections) {
      await service.expect(200, 'GET', `${path}?limit=1`);
      await service.expect(404, 'GET', `${path}/${NOBODY}`);
      await service.expect(403, 'POST', path, { body: {} });
    }
  },
};
