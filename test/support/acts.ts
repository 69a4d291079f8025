import { expect } from 'vitest';
import { deleteBrand } from '../../tools/admin/brands.ts';
import type { Execute } from '../../tools/admin/execute.ts';
import type { IssuedKey } from '../../tools/admin/keys.ts';
import { issueKey, revokeKey, rotateKey } from '../../tools/admin/keys.ts';
import { resumeBrand, suspendBrand } from '../../tools/admin/suspension.ts';
import { resetTokens } from '../../tools/admin/tokens.ts';
import { AdminError } from '../../tools/admin/admin-error.ts';
import type { Answer, TestBrand } from './brand.ts';
import { resourceOf, resourcesOf } from './brand.ts';
import { tokenOf } from './changes.ts';
import type { DatabaseNumber } from './databases.ts';
import { executeIn } from './databases.ts';
import { dataIn } from './moved-brand.ts';

/** Something that others do while a brand moves. */
export interface Act {
  readonly name: string;
  /** @param homes the databases where the brand may be */
  readonly prepare: (
    brand: TestBrand,
    homes: readonly DatabaseNumber[],
  ) => Prepared | Promise<Prepared>;
}

interface Prepared {
  /** Does it. Returns whether it was done: false if it was refused because the brand moves right now. */
  readonly act: () => Promise<boolean>;
  /** Expects that it is done, whatever happened since. */
  readonly check: () => Promise<void>;
  /** Whether nothing is left of the brand. */
  readonly isDeletion?: boolean;
}

const PRODUCT = { title: 'Bar', priceCents: 1 };

/** The third resource of a list: the first two stay as they are. */
async function third(brand: TestBrand, path: string): Promise<string> {
  const [, , resource] = resourcesOf(await brand.send('GET', path));
  return resource?.id ?? '';
}

/** A request, which is 503 for a moment at the end of a move. */
function request(send: () => Promise<Answer>, check: (answer: Answer) => Promise<void>): Prepared {
  let done: Answer | undefined;
  return {
    act: async () => {
      const answer = await send();
      if (answer.status === 503) return false;
      expect(answer.status, answer.text).toBeLessThan(300);
      done = answer;
      return true;
    },
    check: async () => {
      if (done === undefined) throw new Error('It was not done.');
      await check(done);
    },
  };
}

/** A command of the admin tool, in the first database that has the brand. */
async function command(
  homes: readonly DatabaseNumber[],
  run: (execute: Execute) => Promise<unknown>,
): Promise<boolean> {
  for (const home of homes) {
    try {
      await run(executeIn(home));
      return true;
    } catch (error) {
      if (
        !(error instanceof AdminError) ||
        !/There is no|has moved|is moving/.test(error.message)
      ) {
        throw error;
      }
    }
  }
  return false;
}

const statusOf = async (brand: TestBrand, issued: IssuedKey): Promise<number> =>
  (await brand.with(issued).send('GET', '/profile')).status;

function act(name: string, prepare: Act['prepare']): Act {
  return { name, prepare };
}

/** What others may do while a brand moves: each kind of write, and each command. */
export const acts: readonly Act[] = [
  act('a creation', (brand) =>
    request(
      () => brand.send('POST', '/products', PRODUCT),
      async (done) => {
        const { id } = resourceOf(done);
        expect((await brand.send('GET', `/products/${id}`)).text).toBe(
          JSON.stringify({ product: resourceOf(done) }),
        );
      },
    ),
  ),
  act('a change', async (brand) => {
    const path = `/products/${await third(brand, '/products')}`;
    return request(
      () => brand.send('PATCH', path, { title: 'Changed' }),
      async (done) => {
        const now = await brand.send('GET', path);
        expect(now.headers.get('ETag')).toBe(done.headers.get('ETag'));
      },
    );
  }),
  act('a deletion', async (brand) => {
    const path = `/products/${await third(brand, '/products')}`;
    return request(
      () => brand.send('DELETE', path),
      async () => {
        expect((await brand.send('GET', path)).status).toBe(404);
      },
    );
  }),
  act('a push', (brand) =>
    request(
      () =>
        brand.send('POST', '/products?match=sku', {
          products: [{ ...PRODUCT, sku: 'P1' }],
        }),
      async () => {
        expect(resourcesOf(await brand.send('GET', '/products?sku=P1'))).toHaveLength(1);
      },
    ),
  ),
  act('a push with an Idempotency-Key', (brand) => {
    const send = (): Promise<Answer> =>
      brand.send(
        'POST',
        '/products?match=sku',
        { products: [{ ...PRODUCT, sku: 'K1' }] },
        { headers: { 'Idempotency-Key': 'once' } },
      );
    return request(send, async (done) => {
      const again = await send();
      expect([again.headers.get('Idempotent-Replayed'), again.text]).toEqual(['true', done.text]);
      expect(resourcesOf(await brand.send('GET', '/products?sku=K1'))).toHaveLength(1);
    });
  }),
  act('an exchange of codes', async (brand) => {
    const [, , one, other] = resourcesOf(await brand.send('GET', '/coupon-codes'));
    const patch = (id: unknown, code: unknown): Promise<Answer> =>
      brand.send('PATCH', `/coupon-codes/${String(id)}`, { code });
    return request(
      async () => {
        const first = await patch(one?.id, 'FREE');
        if (first.status === 503) return first;
        await patch(other?.id, one?.['code']);
        return patch(one?.id, other?.['code']);
      },
      async () => {
        const [, , now, nowOther] = resourcesOf(await brand.send('GET', '/coupon-codes'));
        expect([now?.['code'], nowOther?.['code']]).toEqual([other?.['code'], one?.['code']]);
      },
    );
  }),
  act('a change of the profile', (brand) =>
    request(
      () => brand.send('PATCH', '/profile', { brand: { brandName: 'Changed' } }),
      async () => {
        const { text } = await brand.send('GET', '/profile');
        expect(text).toContain('"Changed"');
      },
    ),
  ),
  act('key issue', (brand, homes) => {
    const { brandId } = brand.issued;
    const issued: IssuedKey[] = [];
    return {
      act: () => command(homes, async (in_) => issued.push(await issueKey(in_, brandId, {}))),
      check: async () => {
        for (const key of issued) expect(await statusOf(brand, key)).toBe(200);
        expect(issued).toHaveLength(1);
      },
    };
  }),
  act('key rotate', async (brand, homes) => {
    const [home = 0] = homes;
    const key = await issueKey(executeIn(home), brand.issued.brandId, {});
    const issued: IssuedKey[] = [];
    return {
      act: () => command(homes, async (in_) => issued.push(await rotateKey(in_, key.keyId, 0, {}))),
      check: async () => {
        for (const successor of issued) expect(await statusOf(brand, successor)).toBe(200);
        expect([issued.length, await statusOf(brand, key)]).toEqual([1, 401]);
      },
    };
  }),
  act('key revoke', async (brand, homes) => {
    const [home = 0] = homes;
    const key = await issueKey(executeIn(home), brand.issued.brandId, {});
    return {
      act: () => command(homes, (in_) => revokeKey(in_, key.keyId)),
      check: async () => {
        expect(await statusOf(brand, key)).toBe(401);
      },
    };
  }),
  act('brand suspend and resume', (brand, homes) => {
    const { brandId } = brand.issued;
    return {
      act: () => command(homes, (in_) => suspendBrand(in_, brandId)),
      check: async () => {
        expect(await statusOf(brand, brand.issued)).toBe(403);
        expect(await command(homes, (in_) => resumeBrand(in_, brandId))).toBe(true);
        expect(await statusOf(brand, brand.issued)).toBe(200);
      },
    };
  }),
  act('tokens reset', async (brand, homes) => {
    const since = await tokenOf(brand, '/products');
    return {
      isDeletion: true,
      act: () => command(homes, (in_) => resetTokens(in_, brand.issued.brandId)),
      check: async () => {
        expect((await brand.send('GET', `/products?since=${since}`)).status).toBe(410);
        expect((await brand.send('GET', '/products?since=0')).status).toBe(200);
      },
    };
  }),
  act('brand delete', (brand, homes) => {
    const { brandId } = brand.issued;
    return {
      isDeletion: true,
      act: () => command(homes, (in_) => deleteBrand(in_, brandId)),
      check: async () => {
        expect((await brand.send('GET', '/profile')).status).toBe(401);
        for (const home of homes) expect(await dataIn(home, brandId)).toBe(0);
      },
    };
  }),
];
