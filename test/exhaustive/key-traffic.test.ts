import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { issueKey, revokeKey, rotateKey } from '../../tools/admin/keys.ts';
import { execute, TestBrand } from '../support/brand.ts';

// Each test sends many requests, which take more than the default five seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let brand: TestBrand;
let other: TestBrand;

beforeEach(async () => {
  [brand, other] = await Promise.all([TestBrand.create(), TestBrand.create()]);
});

describe('Under traffic', () => {
  /** The result of a request, and whether it was sent before, during or after the operator's action. */
  interface Outcome {
    readonly status: number;
    readonly place: 'before' | 'during' | 'after';
  }

  /** Sends requests side by side while the operator acts halfway. */
  async function traffic(client: TestBrand, act: () => Promise<void>): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    let [sent, begun, done] = [0, false, false];
    const operator = async (): Promise<void> => {
      begun = true;
      await act();
      done = true;
    };
    let acting: Promise<void> | undefined;
    const worker = async (): Promise<void> => {
      while (sent < 300) {
        if (++sent === 150) acting = operator();
        const isAfter = done;
        const isWrite = sent % 3 === 0;
        const { status } = isWrite
          ? await client.send('PATCH', '/profile', { brand: { contactName: `N${sent}` } })
          : await client.send('GET', '/products');
        outcomes.push({ status, place: isAfter ? 'after' : begun ? 'during' : 'before' });
      }
    };
    await Promise.all(Array.from({ length: 20 }, worker));
    await acting;
    return outcomes;
  }

  function statuses(outcomes: readonly Outcome[], place: Outcome['place']): number[] {
    const found = outcomes.filter((outcome) => outcome.place === place);
    return [...new Set(found.map(({ status }) => status))];
  }

  const nothing = (): Promise<void> => Promise.resolve();

  it('a rotation rejects no request, with the old or the new key', async () => {
    let next: TestBrand | undefined;
    const [mine, theirs] = await Promise.all([
      traffic(brand, async () => {
        next = brand.with(await rotateKey(execute, brand.issued.keyId, 60, {}));
      }),
      traffic(other, nothing),
    ]);
    expect(statuses(mine, 'before')).toEqual([200]);
    expect(statuses(mine, 'after')).toEqual([200]);
    expect(new Set([...mine, ...theirs].map(({ status }) => status))).toEqual(new Set([200]));
    const later = next ? await traffic(next, nothing) : [];
    expect(new Set(later.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('a revocation rejects all requests that start after it, and none that ended before', async () => {
    const second = brand.with(await issueKey(execute, brand.issued.brandId, {}));
    const [mine, ours, theirs] = await Promise.all([
      traffic(brand, () => revokeKey(execute, brand.issued.keyId)),
      traffic(second, nothing),
      traffic(other, nothing),
    ]);
    expect(statuses(mine, 'before')).toEqual([200]);
    expect(statuses(mine, 'after')).toEqual([401]);
    expect(new Set([...ours, ...theirs].map(({ status }) => status))).toEqual(new Set([200]));
    const [[row]] = await execute(
      sql`select revoked_at from api_keys where id = ${brand.issued.keyId}`,
    );
    expect(row?.['revoked_at']).not.toBeNull();
  });
});
