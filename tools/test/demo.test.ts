import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getPlatformProxy } from 'wrangler';
import { BrandClient } from '../../client/src/index.ts';
import { app } from '../../src/app.ts';
import type { Env } from '../../src/http/api-env.ts';
import { sha256 } from '../../src/operator.ts';
import { fillDemoBrand, openDemoBrand } from '../dev/demo.ts';
import { migratedFolder } from '../../test/node/pool.ts';
import type { TemporaryFolder } from '../../test/node/processes.ts';

let folder: TemporaryFolder;
let proxy: Awaited<ReturnType<typeof getPlatformProxy<Env>>>;

beforeAll(async () => {
  folder = await migratedFolder();
  proxy = await getPlatformProxy<Env>({ persist: { path: join(folder.path, 'v3') } });
});

afterAll(async () => {
  await proxy.dispose();
  await folder.remove();
});

const limiter = { limit: () => Promise.resolve({ success: true }) };

/** What `npm run dev` does of the demo brand; it may end before it has sent a request. */
async function start(keyFolder: string, lastRequest = Infinity): Promise<string> {
  const { DB } = proxy.env;
  const brand = await openDemoBrand(DB, keyFolder);
  const env = { DB, KEY_RATE_LIMIT: limiter, FAILURE_RATE_LIMIT: limiter };
  let requests = 0;
  const fetch = async (
    ...[input, init]: Parameters<typeof globalThis.fetch>
  ): Promise<Response> => {
    if (++requests > lastRequest) throw new Error('Killed.');
    const request = new Request(input, init);
    const { size } = await request.clone().blob();
    request.headers.set('Content-Length', String(size));
    return app.request(request, {}, env);
  };
  const { apiKey } = brand;
  const client = new BrandClient({ apiKey, baseUrl: 'http://api.test', fetch, tries: 1 });
  if (brand.isNew) await fillDemoBrand(client, keyFolder, brand);
  return apiKey;
}

/** What the brand of a key has. */
async function contents(apiKey: string): Promise<unknown> {
  return proxy.env.DB.prepare(
    `select website, (select count(*) from products where brand_id = brands.id) as products,
      (select count(*) from coupon_codes where brand_id = brands.id) as coupon_codes
      from brands where id = (select brand_id from api_keys where hash = ?)`,
  )
    .bind(await sha256(apiKey))
    .first();
}

const WHOLE = { website: 'https://northwind.example', products: 12, coupon_codes: 3 };

it('After an interruption, the demo brand is whole, and the key stays the same from then on', async () => {
  const keyFolder = join(folder.path, 'interrupted');
  for (const lastRequest of [0, 1, 2]) {
    await expect(start(keyFolder, lastRequest)).rejects.toThrow();
  }
  const apiKey = await start(keyFolder);
  expect(await contents(apiKey)).toEqual(WHOLE);
  expect(await start(keyFolder)).toBe(apiKey);
});

it('If the stored key was revoked, there is another demo brand', async () => {
  const { DB } = proxy.env;
  const keyFolder = join(folder.path, 'revoked');
  const first = await start(keyFolder);
  await DB.exec(`update api_keys set revoked_at = created_at`);
  const second = await start(keyFolder);
  expect(second).not.toBe(first);
  expect(await contents(second)).toEqual(WHOLE);
  expect(await start(keyFolder)).toBe(second);
});
