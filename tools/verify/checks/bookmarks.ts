import type { Check } from '../check.ts';

/** Checks that a read accepts the bookmark of an earlier response. */
export const bookmarks: Check = {
  name: 'bookmarks',
  async run({ service }) {
    const { headers } = await service.expect(200, 'GET', '/profile');
    const bookmark = headers.get('x-d1-bookmark') ?? '';
    await service.expect(200, 'GET', '/profile', { headers: { 'x-d1-bookmark': bookmark } });
    await service.expect(400, 'GET', '/profile', { headers: { 'x-d1-bookmark': '!' } });
  },
};
