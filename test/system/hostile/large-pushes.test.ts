import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { LargePush } from './large-pushes.ts';
import { LARGE_ITEMS, largePushes } from './large-pushes.ts';
import { leastOf, MeasuredService, MOST } from './measured-service.ts';

const list = z.object({ products: z.array(z.object({ id: z.string() })) });

describe.skipIf(process.platform !== 'linux')('large pushes', () => {
  let service: MeasuredService;
  const modes = ['dry', 'written', 'lenient', 'keyed'] as const;
  const cases = largePushes.flatMap((push) => push.matches.map((match) => ({ ...push, match })));
  /** By case and mode, the limit in milliseconds. All are measured first, before large bodies leave garbage behind. */
  const limits = new Map<string, number>();
  /** By push, the ids of its own products: the response would show what another push has written to them. */
  const existing = new Map<string, readonly string[]>();
  let runs = 0;

  beforeAll(async () => {
    service = await MeasuredService.start();
    for (const { name } of largePushes) existing.set(name, await createProducts());
    for (const one of cases) {
      for (const mode of modes) {
        const least = await leastOf(async () => cost(one, mode, one.harmless));
        limits.set(`${one.name} ${one.match} ${mode}`, MOST * least);
      }
    }
  });

  afterAll(() => service.stop());

  test.each(cases)('$name by $match', async (one) => {
    const slow: string[] = [];
    for (const mode of modes) {
      const limit = limits.get(`${one.name} ${one.match} ${mode}`) ?? 0;
      const least = await leastOf(async () => cost(one, mode, one.body), limit);
      if (least > limit) slow.push(`${mode}: ${least.toFixed()} of ${limit.toFixed()} ms`);
    }
    expect(slow).toEqual([]);
  });

  /** Creates products that have their own ids as the values of the other fields that pushes match by. */
  async function createProducts(): Promise<readonly string[]> {
    const sent = Array<object>(LARGE_ITEMS).fill({ title: 'A', priceCents: 1 });
    const ids = await listed('/products', sent);
    const products = ids.map((id) => ({ id, storeProductId: id, sku: id }));
    return listed('/products?match=id', products);
  }

  /** Sends a list of products, and returns their ids. */
  async function listed(path: string, products: readonly object[]): Promise<readonly string[]> {
    const body = JSON.stringify({ products });
    const { text } = await service.send({
      ...{ method: 'POST', path, isLive: true, body, statuses: [200, 201] },
    });
    return list.parse(JSON.parse(text)).products.map(({ id }) => id);
  }

  async function cost(
    { name, path, match }: (typeof cases)[number],
    mode: (typeof modes)[number],
    make: LargePush['body'],
  ): Promise<number> {
    runs++;
    const { cpu } = await service.send({
      method: 'POST',
      path: `${path}?match=${match}${mode === 'dry' ? '&dryRun=true' : ''}`,
      isLive: true,
      body: make(existing.get(name) ?? [], runs),
      headers: {
        ...(mode === 'lenient' && { Prefer: 'handling=lenient' }),
        ...(mode === 'keyed' && { 'Idempotency-Key': `large-${runs}` }),
      },
      statuses: [200],
    });
    return cpu;
  }
});
