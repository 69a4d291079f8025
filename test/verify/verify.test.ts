import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VerifyOptions } from '../../tools/verify/verify.ts';
import { verify } from '../../tools/verify/verify.ts';
import { BrandClient } from '../../client/src/index.ts';
import { all } from '../node/outcomes.ts';
import type { Server } from '../node/server.ts';
import { startServer } from '../node/server.ts';
import type { FaultProxy } from './fault-proxy.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { faults } from './faults.ts';

let server: Server;
let proxy: FaultProxy;
let client: BrandClient;

beforeAll(async () => {
  server = await startServer();
  const service = `http://127.0.0.1:${server.port}`;
  proxy = await startFaultProxy(service);
  client = new BrandClient({ apiKey: server.apiKey, baseUrl: service });
  await client.products.createMany([
    { title: 'Not to be touched', priceCents: 1 },
    { title: 'Nor this', priceCents: 2 },
  ]);
});

afterAll(async () => {
  proxy.stop();
  await server.stop();
});

/** All that the brand has. */
async function everything(): Promise<unknown> {
  const { data } = await client.getProfile();
  return [
    { ...data, brand: { ...data.brand, updatedAt: '' } },
    await all(client.products.list()),
    await all(client.couponCodes.list()),
  ];
}

function report(options: Partial<VerifyOptions> = {}): ReturnType<typeof verify> {
  return verify({ url: proxy.url, apiKey: server.apiKey, ...options });
}

describe('Verifying a good service', () => {
  it('passes, says what it skips, and leaves nothing behind', async () => {
    proxy.fault = {};
    const before = await everything();
    const { passed, checks, latency } = await report();
    expect(checks.filter(({ status }) => status === 'failed')).toEqual([]);
    expect(passed).toBe(true);
    for (const { problems } of checks.filter(({ status }) => status === 'skipped')) {
      expect(problems.join()).not.toBe('');
    }
    expect(latency?.p50).toBeGreaterThan(0);
    expect(await everything()).toEqual(before);
  });

  it('passes behind an edge that compresses and weakens tags, and notes it', async () => {
    proxy.fault = {
      response: ({ headers }) => {
        const tag = headers.get('ETag');
        if (tag?.startsWith('"')) headers.set('ETag', `W/${tag}`);
      },
    };
    const { checks } = await report({ only: ['ETag and If-Match'] });
    expect(checks[0]).toMatchObject({ status: 'passed' });
    expect(checks[0]?.notes.join()).toContain('weak tag');
  });
});

describe('Verifying a broken service', () => {
  it.each(Object.entries(faults))('reports that %s', async (_, fault) => {
    proxy.fault = fault;
    const before = await everything();
    const { passed, checks } = await report({ only: [fault.during ?? '', fault.check] });
    expect(passed).toBe(false);
    const found = checks.find(({ name }) => name === fault.check);
    expect(found?.problems.join('\n')).toMatch(fault.says);
    proxy.fault = {};
    if (fault.leaves) await removeAll();
    expect(await everything()).toEqual(before);
  });
});

async function removeAll(): Promise<void> {
  for (const { id, storeProductId } of await all(client.products.list())) {
    if (storeProductId?.startsWith('VERIFY-')) await client.products.delete(id);
  }
  for (const { id } of await all(client.couponCodes.list())) await client.couponCodes.delete(id);
  await client.updateProfile({ connection: { syncEnabled: false } });
}
