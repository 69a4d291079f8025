import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostileBodies } from './hostile-bodies.ts';
import {
  bodiesOfManyParts,
  bodiesOfObjects,
  longDescriptions,
  longTexts,
  newNames,
  ordinaryProducts,
  sameNames,
} from './maximum-bodies.ts';
import type { Case } from './measured-service.ts';
import { MeasuredService, MOST, nameOf, UNKNOWN_KEY } from './measured-service.ts';
import type { Operation } from './operations.ts';
import { operations } from './operations.ts';

describe.skipIf(process.platform !== 'linux')('bodies of the maximum size', () => {
  let service: MeasuredService;

  beforeAll(async () => {
    service = await MeasuredService.start();
  });

  afterAll(() => service.stop());

  describe('take at most ten times the CPU of ordinary products', () => {
    const bodies: readonly (readonly [string, (operation: Operation) => string])[] = [
      ...hostileBodies.map(({ name, full }) => [name, full] as const),
      ...Object.entries(bodiesOfManyParts),
      ...Object.entries(longTexts).map(
        ([name, unit]) => [name, () => longDescriptions(unit)] as const,
      ),
    ];
    const cases = operations
      .filter(({ path }) => path.split('?')[0] === '/products')
      .flatMap((operation) =>
        [true, false].map((isLive): Case => ({ operation, isLive, shape: 'full' })),
      );
    const limits = new Map<Case, number>();
    const measureLimit = async (one: Case): Promise<number> => {
      const limit = MOST * (await least(one, ordinaryProducts()));
      limits.set(one, limit);
      return limit;
    };

    beforeAll(async () => {
      for (const one of cases) await measureLimit(one);
    });

    test.each(bodies)('%s', async (_, make) => {
      const made = new Map<Operation, string>();
      for (const one of cases) {
        const body = made.get(one.operation) ?? make(one.operation);
        made.set(one.operation, body);
        let limit = limits.get(one) ?? 0;
        let cpu = await least(one, body, limit);
        if (cpu > limit) {
          // Other programs slow a processor down, so both are measured again, at the same time.
          limit = await measureLimit(one);
          cpu = await least(one, body, limit);
        }
        expect(cpu, nameOf(one)).toBeLessThanOrEqual(limit);
      }
    });

    async function least({ operation, isLive }: Case, body: string, enough = 0): Promise<number> {
      const statuses = isLive ? [200, 201, 400, 413] : UNKNOWN_KEY;
      return service.least({ ...operation, isLive, body, statuses }, enough);
    }
  });

  describe('with objects of new names take at most three times the CPU of the same names', () => {
    // V8's parser makes a shape for each, so that objects of 50 members took ten times as long.
    test.each(Object.entries(bodiesOfObjects))('%s', async (_, body) => {
      const limit = 3 * (await least(body(sameNames)));
      expect(await least(body(newNames))).toBeLessThan(limit);
    });
  });

  describe('with long texts take at most ten times the CPU of letters', () => {
    test.each(Object.entries(longTexts))('%s', async (_, unit) => {
      const limit = MOST * (await least(longDescriptions('x')));
      expect(await least(longDescriptions(unit))).toBeLessThan(limit);
    });
  });

  /** The CPU time of a list of products with a key that does not exist. */
  async function least(body: string): Promise<number> {
    return service.least({ method: 'POST', path: '/products', body, statuses: UNKNOWN_KEY });
  }
});
