import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getPlatformProxy } from 'wrangler';
import type { Env } from '../../src/env.ts';
import { listBrands } from '../../tools/admin/brand-list.ts';
import { executeOn } from '../../tools/admin/execute.ts';
import { listKeys } from '../../tools/admin/key-list.ts';
import { revokeKey } from '../../tools/admin/keys.ts';
import { allOf } from '../../tools/admin/pages.ts';
import { completeDemoBrand, openDemoBrand, sendTo } from '../../tools/dev/demo.ts';
import { interceptD1 } from '../support/d1.ts';
import { DevServer, freePort, temporaryFolder } from './processes.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: DevServer;
let service: string;
let proxy: Awaited<ReturnType<typeof getPlatformProxy<Env>>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  const port = await freePort();
  service = `http://localhost:${port}`;
  server = await DevServer.start(port, folder.path);
  proxy = await getPlatformProxy<Env>({ persist: { path: join(folder.path, 'v3') } });
});

afterAll(async () => {
  await proxy.dispose();
  await server.kill();
  await folder.remove();
});

/** What `npm run dev` does of the demo brand; `intercept` stands before each step. */
async function start(
  keyFolder: string,
  intercept = (step: () => Promise<unknown>): Promise<unknown> => step(),
): Promise<string> {
  const database = interceptD1(proxy.env.DB, intercept);
  const { apiKey, isComplete } = await openDemoBrand(database, keyFolder);
  const send = sendTo(service, apiKey);
  if (!isComplete) {
    await completeDemoBrand((...request) => intercept(() => send(...request)), keyFolder);
  }
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

it('completes a demo brand after an interruption at any step', async () => {
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

it('issues another key if the stored one was revoked, and keeps the data', async () => {
  const { DB } = proxy.env;
  await DB.exec('delete from brands');
  const keyFolder = join(folder.path, 'revoked');
  const first = await start(keyFolder);
  await DB.exec(`update brands set website = 'https://other.example'`);
  const [brand] = await allOf(listBrands(executeOn(DB, 'tests')));
  const keys = listKeys(executeOn(DB, 'tests'), { brandId: String(brand?.brandId) });
  const [key] = await allOf(keys);
  await revokeKey(executeOn(DB, 'tests'), String(key?.keyId));

  const second = await start(keyFolder);
  expect(second).not.toBe(first);
  expect(await demoBrands()).toEqual([{ ...WHOLE, website: 'https://other.example' }]);
  expect(await start(keyFolder)).toBe(second);
});
