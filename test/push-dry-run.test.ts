import { describe, expect, it } from 'vitest';
import { TestBrand } from './support/brand.ts';
import { meter } from './support/meter.ts';
import { fields, LENIENT, newItem, outcomes, push } from './support/push.ts';
import { snapshot } from './support/snapshot.ts';

// The fuzzer holds the results of dry runs and of pushes against the same model.

describe.each(fields)('A dry run of a push of $of.many by $match', ({ of, match }) => {
  it('writes nothing, no idempotency record either', async () => {
    const brand = await TestBrand.create();
    await brand.create(of.path, newItem(of, match, 1));
    const before = await snapshot(brand.issued.brandId);
    const items = [
      { ...newItem(of, match, 1), [of.note]: 'Changed' },
      newItem(of, match, 2),
      { ...newItem(of, match, 3), [of.note]: 5 },
    ];
    // An Idempotency-Key is ignored, so a malformed one is too.
    for (const key of ['once', 'not visible', 'x'.repeat(300)]) {
      const metered = meter();
      const headers = { ...LENIENT, 'Idempotency-Key': key };
      const answer = await push(brand, of, match, items, { headers, dryRun: true, db: metered.db });
      expect(outcomes(answer).slice(0, 2)).toEqual(['updated', 'created']);
      expect(answer.headers.get('Idempotent-Replayed')).toBeNull();
      expect([metered.calls, metered.rowsWritten]).toEqual([1, 0]);
    }
    const strict = await push(brand, of, match, items, { dryRun: true });
    expect(strict.status).toBe(400);
    expect(await snapshot(brand.issued.brandId)).toEqual(before);
  });

  it('does not take a record for its own, nor leave one', async () => {
    const brand = await TestBrand.create();
    const headers = { 'Idempotency-Key': 'once' };
    const options = { headers, dryRun: true };
    const item = newItem(of, match, 1);
    expect(outcomes(await push(brand, of, match, [item], options))).toEqual(['created']);
    expect(outcomes(await push(brand, of, match, [item], { headers }))).toEqual(['created']);
    expect(outcomes(await push(brand, of, match, [item], options))).toEqual(['unchanged']);
    const other = await push(brand, of, match, [newItem(of, match, 2)], options);
    expect(outcomes(other)).toEqual(['created']);
  });
});
