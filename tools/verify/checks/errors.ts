import { described, member } from '../answer.ts';
import type { Check } from '../check.ts';

/** Checks the statuses and texts of errors. */
export const errors: Check = {
  name: 'errors',
  async run({ service, fail }) {
    const text = async (status: number, method: string, path: string): Promise<string> =>
      String(member((await service.expect(status, method, path)).body, 'error'));
    if ((await text(404, 'GET', '/nowhere')) !== 'Not found.') fail('404: not “Not found.”');

    const put = await service.expect(405, 'PUT', '/products', { body: {} });
    if (member(put.body, 'error') !== 'Method not allowed. Use GET or POST.') {
      fail(`${described(put)}: not “Method not allowed. Use GET or POST.”`);
    }
    const allowed = (put.headers.get('Allow') ?? '').split(', ');
    if (!['GET', 'POST'].every((method) => allowed.includes(method))) {
      fail(`${described(put)}: Allow does not name GET and POST`);
    }
    const unknown = await text(400, 'GET', '/products?nonsense=1');
    if (!/^Invalid request: .*nonsense/.test(unknown)) {
      fail('An unknown parameter is not named in the error.');
    }
    await service.expect(200, 'HEAD', '/profile');
    const options = await service.expect(204, 'OPTIONS', '/products', { key: null });
    if (!options.headers.has('Allow')) fail(`${described(options)}: no Allow`);
  },
};

/** Checks the errors of writes. */
export const refusedWrites: Check = {
  name: 'refused writes',
  writes: true,
  async run({ service, fail, mark }) {
    const invalid = await service.expect(400, 'POST', '/products', { rawBody: '{"title":' });
    if (member(invalid.body, 'error') !== 'Invalid JSON payload.') {
      fail(`${described(invalid)}: not “Invalid JSON payload.”`);
    }
    const typo = await service.expect(400, 'POST', '/products', {
      body: { titel: 'x', priceCents: 0.5 },
    });
    for (const named of ['title', 'titel', 'priceCents']) {
      if (!String(member(typo.body, 'error')).includes(`${named}:`)) {
        fail(`${described(typo)}: does not name ${named}`);
      }
    }
    await service.expect(413, 'POST', '/products', {
      rawBody: JSON.stringify('x'.repeat(300_000)),
    });

    const code = { code: mark, discountPercent: 1, active: false };
    await service.expect(201, 'POST', '/coupon-codes', { body: code });
    const taken = await service.expect(409, 'POST', '/coupon-codes', {
      body: { ...code, code: mark.toLowerCase() },
    });
    if (!String(member(taken.body, 'error')).includes('already exists')) {
      fail(`${described(taken)}: does not say that the code exists`);
    }
  },
};
