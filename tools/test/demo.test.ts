import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getPlatformProxy } from 'wrangler';
import { BrandClient } from '../../client/src/index.ts';
import { app } from '../../src/app.ts';
import type { Env } from '../../src/http/api-env.ts';
import { completeDemoBrand, openDemoBrand } from '../dev/demo.ts';
import { interceptD1 } from '../../test/support/intercept-d1.ts';
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

/** What `npm run dev` does of the demo brand; `intercept` stands before each step. */
async function start(
  keyFolder: string,
  intercept = (step: () => Promise<unknown>): Promise<unknown> => step(),
): Promise<string> {
  const { DB } = proxy.env;
  const { apiKey, isComplete } = await openDemoBrand(interceptD1(DB, intercept), keyFolder);
  const env = { DB, KEY_RATE_LIMIT: limiter, FAILURE_RATE_LIMIT: limiter };
  const fetch = async (
    ...[input, init]: Parameters<typeof globalThis.fetch>
  ): Promise<Response> => {
    const request = new Request(input, init);
    const { size } = await request.clone().blob();
    request.headers.set('Content-Length', String(size));
    let response = Response.error();
    await intercept(async () => (response = await app.request(request, {}, env)));
    return response;
  };
  const client = new BrandClient({ apiKey, baseUrl: 'http://api.test', fetch, tries: 1 });
  if (!isComplete) await completeDemoBrand(client, keyFolder);
  return apiKey;
}

/** The demo brands that there are, with what they have. */
async function demoBrands(): Promise<unknown[]> {
  const { results } = await proxy.env.DB.prepare(
    `select website, (select count(*) from products where brand_id = brands.id) as products,
      (select count(*) from coupon_codes where brand_id = brands.id) as coupon_codes from brands`,
  ).all();
  return results;
}

const WHOLE = { website: 'https://northwind.example', products: 12, coupon_codes: 3 };

it('A demo brand is completed after an interruption at any step', async () => {
  let wasCutOff = true;
  for (let last = 1; wasCutOff; last++) {
    for (const isDone of [false, true]) {
      await proxy.env.DB.exec('delete from brands');
      const keyFolder = join(folder.path, `cut off ${isDone ? 'after' : 'before'} ${last}`);
      let calls = 0;
      const killed = start(keyFolder, async (step) => {
        if (++calls < last) return step();
        if (isDone && calls === last) await step();
        throw new Error('Killed.');
      });
      wasCutOff = await killed.then(
        () => false,
        () => true,
      );
      const apiKey = await start(keyFolder);
      expect([last, isDone, await demoBrands()]).toEqual([last, isDone, [WHOLE]]);
      expect(await start(keyFolder)).toBe(apiKey);
    }
  }
});

it('A demo brand whose stored key was revoked gets another, and keeps its data', async () => {
  const { DB } = proxy.env;
  await DB.exec('delete from brands');
  const keyFolder = join(folder.path, 'revoked');
  const first = await start(keyFolder);
  await DB.exec(`update brands set website = 'https://other.example'`);
  await DB.exec(`update api_keys set revoked_at = created_at`);
  const second = await start(keyFolder);
  expect(second).not.toBe(first);
  expect(await demoBrands()).toEqual([{ ...WHOLE, website: 'https://other.example' }]);
  expect(await start(keyFolder)).toBe(second);
});
