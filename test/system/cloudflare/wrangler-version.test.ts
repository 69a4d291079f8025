import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import * as z from 'zod';

/** The wrangler whose requests the stand-in was written after. */
const KNOWN = '4.149.0';

it('the simulated account matches the installed wrangler', () => {
  const file = fileURLToPath(new URL('../package.json', import.meta.resolve('wrangler')).href);
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(file, 'utf8')));
  expect(
    version,
    `The stand-in for Cloudflare's API was written after wrangler ${KNOWN}. Run "npm run test:system -- cloudflare" with the
    new one. What it asks for and the stand-in lacks is reported by name: add it in test/system/cloudflare/account, in the shape
    that wrangler's own tests have (packages/wrangler/src/__tests__/helpers of cloudflare/workers-sdk). Then name the new
    version here.`,
  ).toBe(KNOWN);
});
