import { described, textMember } from '../answer.ts';
import type { Check } from '../check.ts';
import { testCollections } from '../resources.ts';

/** Checks entity tags through all proxies in between: a tag as received must work in `If-Match` and give a 304. */
export const conditional: Check = {
  name: 'ETag and If-Match',
  writes: true,
  async run({ service, fail, note, mark }) {
    for (const { path, one, input, patch } of testCollections) {
      const created = await service.expect(201, 'POST', path, { body: input(mark) });
      const item = `${path}/${textMember(created.body, one, 'id')}`;
      const read = await service.expect(200, 'GET', item, {
        headers: { 'Accept-Encoding': 'br, gzip' },
      });
      const tag = read.headers.get('ETag') ?? '';
      if (!/^(W\/)?"[^"]+"$/.test(tag)) fail(`${described(read)}: ETag is “${tag}”`);
      const encoding = read.headers.get('Content-Encoding') ?? 'not compressed';
      note(`${one}: ${encoding}, ${tag.startsWith('W/') ? 'weak tag' : 'strong tag'}`);

      const opaque = tag.replace(/^W\//, '');
      for (const form of [tag, opaque, `W/${opaque}`]) {
        const unchanged = await service.api('GET', item, { headers: { 'If-None-Match': form } });
        if (unchanged.status !== 304)
          fail(`${described(unchanged)} with If-None-Match: ${form}, expected 304`);
        const allowed = await service.api('PATCH', item, {
          body: {},
          headers: { 'If-Match': form },
        });
        if (allowed.status !== 200)
          fail(`${described(allowed)} with If-Match: ${form}, expected 200`);
      }
      const changed = await service.expect(200, 'PATCH', item, {
        body: patch,
        headers: { 'If-Match': tag },
      });
      if (changed.headers.get('ETag')?.replace(/^W\//, '') === opaque) {
        fail(`${described(changed)}: the ETag has not changed`);
      }
      await service.expect(412, 'PATCH', item, {
        body: input(mark),
        headers: { 'If-Match': tag },
      });
      await service.expect(412, 'DELETE', item, { headers: { 'If-Match': tag } });
      await service.expect(200, 'GET', item, { headers: { 'If-None-Match': tag } });
      await service.expect(200, 'DELETE', item, {
        headers: { 'If-Match': changed.headers.get('ETag') ?? '' },
      });
    }
  },
};
