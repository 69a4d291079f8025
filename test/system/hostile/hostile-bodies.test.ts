import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateApiKey } from '../../../src/auth/api-key.ts';
import { sendRaw } from '../../node/raw-http.ts';
import { harmlessBodies, hostileBodies } from './hostile-bodies.ts';
import type { Case } from './measured-service.ts';
import { FLOOR, leastOf, MeasuredService, MOST, nameOf, UNKNOWN_KEY } from './measured-service.ts';
import { operations } from './operations.ts';
import { bytes } from './sizes.ts';

describe.skipIf(process.platform !== 'linux')('the CPU time of', () => {
  let service: MeasuredService;

  beforeAll(async () => {
    service = await MeasuredService.start();
  });

  afterAll(() => service.stop());

  // Before the others, whose requests with unknown keys can exceed their rate limit.
  test('a body in small chunks is at most ten times that of the same in one', async () => {
    const body = `{"title":"${'x'.repeat(200_000)}"}`;
    const limit = Math.max(FLOOR, MOST * (await inChunks(body, body.length)));
    expect(await inChunks(body, 40)).toBeLessThan(limit);
  });

  /** The CPU time of a body in chunks of so many bytes, with a key that does not exist. */
  async function inChunks(body: string, size: number): Promise<number> {
    const head = [
      'POST /api/brand/v1/products HTTP/1.1',
      `Authorization: Bearer ${generateApiKey()}`,
      ...['Host: api.test', 'Transfer-Encoding: chunked', '', ''],
    ].join('\r\n');
    const chunks: string[] = [];
    for (let at = 0; at < body.length; at += size) {
      const chunk = body.slice(at, at + size);
      chunks.push(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
    }
    return leastOf(async () => {
      const before = service.cpu();
      const { answers } = await sendRaw(service.port, [`${head}${chunks.join('')}0\r\n\r\n`]);
      expect(answers.map(({ status }) => status)).toEqual([401]);
      return service.cpu() - before;
    });
  }

  describe('hostile bodies', () => {
    /** By case, the size of a harmless body in bytes and the limit that follows from it, small ones first. */
    const limits = new Map<Case, { readonly size: number; readonly limit: number }[]>();
    const limitOf = (one: Case, size: number): number =>
      limits.get(one)?.findLast((harmless) => harmless.size <= size)?.limit ?? FLOOR;
    const cases = operations.flatMap((operation) =>
      [true, false].flatMap((isLive): Case[] => [
        ...(operation.isPush ? [] : [{ operation, isLive, shape: 'one' } as const]),
        ...(operation.many === undefined ? [] : [{ operation, isLive, shape: 'list' } as const]),
      ]),
    );

    beforeAll(async () => {
      for (const one of cases) {
        const known: { size: number; limit: number }[] = [];
        for (const harmless of harmlessBodies) {
          const body = harmless[one.shape](one.operation);
          known.push({
            size: bytes(body),
            limit: Math.max(FLOOR, MOST * (await least(one, body))),
          });
        }
        limits.set(one, known);
      }
    });

    test('there are at least 40 of them', () => {
      expect(new Set(hostileBodies.map(({ name }) => name)).size).toBeGreaterThanOrEqual(40);
    });

    test.each(hostileBodies)('$name', async (hostile) => {
      const slow: string[] = [];
      for (const one of cases) {
        const body = hostile[one.shape](one.operation);
        const limit = limitOf(one, bytes(body));
        const cpu = await least(one, body, limit);
        if (cpu > limit) slow.push(`${nameOf(one)}: ${cpu.toFixed()} of ${limit.toFixed()} ms`);
      }
      expect(slow).toEqual([]);
    });

    async function least({ operation, isLive }: Case, body: string, enough = 0): Promise<number> {
      const statuses = isLive ? [200, 201, 400, 409, 413] : UNKNOWN_KEY;
      return service.least({ ...operation, isLive, body, statuses }, enough);
    }
  });
});
