import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Answer } from '../support/brand.ts';
import { TestBrand } from '../support/brand.ts';
import { interceptD1 } from '../support/intercept-d1.ts';
import { D1_ERRORS, d1Error } from '../support/faults.ts';
import { withIdempotencyKey } from '../support/idempotency.ts';
import { random } from '../support/random.ts';

// A client that has a tag holds what it read with it. If a tag named two states of a resource, If-Match would let it
// overwrite what it has not read.

/** A write to one of two coupon codes, each of whose first tries takes effect without an acknowledgement. */
interface Write {
  readonly method: 'PUT' | 'PATCH' | 'push' | 'keyed push';
  readonly target: number;
  readonly fields: object;
  readonly lost: number;
}

const write: fc.Arbitrary<Write> = fc.record({
  method: fc.constantFrom('PUT', 'PATCH', 'push', 'keyed push'),
  target: fc.nat(1),
  fields: fc.record(
    { description: fc.constantFrom('a', 'b'), currentUses: fc.nat(2), active: fc.boolean() },
    { requiredKeys: [] },
  ),
  lost: fc.nat(2),
});

/** What others write between two tries. */
const steps = fc.array(fc.record({ write, between: fc.array(write, { maxLength: 2 }) }), {
  minLength: 1,
  maxLength: 6,
});

/** A database whose first calls take effect, but fail. */
function losing(times: number, between: () => Promise<void>): D1Database {
  let calls = 0;
  return interceptD1(env.DB, async (call) => {
    const result = await call();
    if (++calls > times) return result;
    await between();
    throw d1Error(D1_ERRORS.lost[0]);
  });
}

it('An entity tag never names two states of a resource, whatever is lost', async () => {
  const property = fc.asyncProperty(steps, async (all) => {
    const brand = await TestBrand.create();
    const made = ['A', 'B'].map((code) => ({ code, discountPercent: 1 }));
    const ids: string[] = [];
    for (const code of made) ids.push((await brand.create('/coupon-codes', code)).id);
    const states = new Map<string, string>();

    const note = ({ headers, text }: Answer): void => {
      const tag = headers.get('ETag') ?? '';
      expect(text).toBe(states.get(tag) ?? text);
      states.set(tag, text);
    };
    const look = async (): Promise<void> => {
      for (const id of ids) note(await brand.send('GET', `/coupon-codes/${id}`));
    };
    const send = async ({ method, target, fields }: Write, db = env.DB): Promise<void> => {
      const id = ids[target] ?? '';
      const isKeyed = method === 'keyed push';
      const headers = isKeyed ? withIdempotencyKey(crypto.randomUUID()).headers : {};
      const [as, path, body] =
        isKeyed || method === 'push'
          ? ['POST', '?match=id', { couponCodes: [{ id, ...fields }] }]
          : [method, `/${id}`, { ...(method === 'PUT' && made[target]), ...fields }];
      const answer = await brand.send(as, `/coupon-codes${path}`, body, { headers, db });
      // The service does not repeat a write without a key whose answer was lost.
      if (answer.status === 503 && !isKeyed && db !== env.DB) return;
      expect(answer.status, answer.text).toBe(200);
      if (as !== 'POST') note(answer);
    };

    await look();
    for (const { write, between } of all) {
      const others = async (): Promise<void> => {
        await look();
        for (const other of between) await send(other);
        await look();
      };
      await send(write, losing(write.lost, others));
      await look();
    }
  });
  await fc.assert(property, { ...random(10), endOnFailure: true });
});
