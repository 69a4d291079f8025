import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { resourceOf, TestBrand } from '../support/brand.ts';
import { interceptD1 } from '../support/d1.ts';
import { D1_ERRORS, d1Error } from '../support/faults.ts';
import { withKey } from '../support/idempotency.ts';

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
  const { runs, seed } = inject('fuzz');
  const property = fc.asyncProperty(steps, async (all) => {
    const brand = await TestBrand.create();
    const made = ['A', 'B'].map((code) => ({ code, discountPercent: 1 }));
    const ids: string[] = [];
    for (const code of made) ids.push((await brand.create('/coupon-codes', code)).id);
    const states = new Map<string, string>();

    const look = async (): Promise<void> => {
      for (const id of ids) {
        const answer = await brand.send('GET', `/coupon-codes/${id}`);
        const tag = answer.headers.get('ETag') ?? '';
        expect(answer.text).toBe(states.get(tag) ?? answer.text);
        states.set(tag, answer.text);
      }
    };
    const send = async (
      { method, target, fields }: Write,
      db: D1Database = env.DB,
    ): Promise<void> => {
      const id = ids[target] ?? '';
      const isPush = method === 'push' || method === 'keyed push';
      const headers = method === 'keyed push' ? withKey(crypto.randomUUID()).headers : {};
      const answer = isPush
        ? await brand.send(
            'POST',
            '/coupon-codes?match=id',
            { couponCodes: [{ id, ...fields }] },
            { headers, db },
          )
        : await brand.send(
            method,
            `/coupon-codes/${id}`,
            method === 'PUT' ? { ...made[target], ...fields } : fields,
            { db },
          );
      // The service does not repeat a write without a key whose answer was lost.
      if (answer.status === 503 && method !== 'keyed push' && db !== env.DB) return;
      expect(answer.status, answer.text).toBe(200);
      if (isPush) return;
      const tag = answer.headers.get('ETag') ?? '';
      expect(answer.text).toBe(states.get(tag) ?? answer.text);
      expect(resourceOf(answer).id).toBe(id);
      states.set(tag, answer.text);
    };

    await look();
    for (const step of all) {
      const others = async (): Promise<void> => {
        await look();
        for (const other of step.between) await send(other);
        await look();
      };
      await send(step.write, losing(step.write.lost, others));
      await look();
    }
  });
  await fc.assert(property, { numRuns: Math.ceil(runs / 4), seed, endOnFailure: true });
});
