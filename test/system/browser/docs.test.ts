import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentedOperations } from '../../support/document.ts';
import { BrandClient } from '../../../client/src/index.ts';
import { violations } from './axe.ts';
import { startBrowser } from './browser.ts';
import { shareServer } from '../../node/shared-server.ts';
import { Tab } from './tab.ts';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What its markup breaks: no style or setting of ours mends it. */
const SWAGGERS = new Set([
  'heading-order',
  'label',
  'landmark-unique',
  'nested-interactive',
  'region',
  'scrollable-region-focusable',
  'select-name',
]);

let origin: string;
let key: string;
let browser: Browser;
let tab: Tab;

beforeAll(async () => {
  const { port, apiKey } = await shareServer();
  key = apiKey;
  origin = `http://localhost:${port}`;
  const product = { title: 'Whey Protein, Vanilla', priceCents: 3999 };
  await new BrandClient({ apiKey, baseUrl: origin }).products.create(product);
  browser = await startBrowser();
  tab = await Tab.open(browser);
});

afterAll(() => browser.close());

describe.each([
  { device: 'a phone', width: 390 },
  { device: 'a desktop', width: 1280 },
])('the page to try on $device', ({ width }) => {
  beforeAll(async () => {
    await tab.visit(`${origin}/docs/try`, { width });
    await tab.page.locator('.opblock').first().waitFor();
  });

  it('shows the operations', async () => {
    const shown = await tab.page.locator('.opblock').all();
    expect((await Promise.all(shown.map(nameOf))).sort()).toEqual([...documentedOperations].sort());
  });

  it('takes a key, sends a request and shows the answer', async () => {
    const { page, requested } = tab;
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const field = page.locator('.auth-container', { hasText: 'bearer' });
    await field.getByRole('textbox').fill(key);
    await field.getByRole('button', { name: 'Apply credentials' }).click();
    await field.getByRole('button', { name: 'Close' }).click();

    const operation = page.locator('#operations-Products-listProducts');
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const answer = operation.locator('.live-responses-table .response');
    await answer.waitFor();
    expect(await answer.locator('.response-col_status').innerText()).toMatch(/^200\b/);
    expect(await answer.innerText()).toContain('"title": "Whey Protein, Vanilla"');
    expect(requested).toContain(`${origin}/api/brand/v1/products`);
  });

  describe.each([
    { colorScheme: 'light', background: 'rgb(255, 255, 255)', rules: 'all' },
    { colorScheme: 'dark', background: 'rgb(28, 32, 34)', rules: 'of colours' },
  ] as const)('in $colorScheme', ({ colorScheme, background, rules }) => {
    // The page follows the system without being loaded again.
    beforeAll(() => tab.page.emulateMedia({ colorScheme }));

    it('is as wide as the screen, and of the colours that the system asks for', async () => {
      const wide = await tab.page.evaluate('document.documentElement.scrollWidth');
      expect(wide).toBe(width);
      const painted = await tab.page.evaluate(
        'getComputedStyle(document.documentElement).backgroundColor',
      );
      expect(painted).toBe(background);
    });

    it('breaks no rule of axe beyond those that Swagger UI breaks by itself', async () => {
      const found = await violations(tab.page, rules);
      expect(found.filter((text) => !SWAGGERS.has(text.split(':')[0] ?? ''))).toEqual([]);
    });
  });

  it('asks nobody but its own origin, and keeps its own policy', () => {
    const { requested, complaints } = tab;
    expect(requested.filter((url) => new URL(url).origin !== origin)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('leads back to the reference', async () => {
    await tab.page.getByRole('link', { name: 'Back to the reference' }).click();
    expect(tab.page.url()).toBe(`${origin}/docs`);
  });
});

async function nameOf(operation: Locator): Promise<string> {
  const method = await operation.locator('.opblock-summary-method').innerText();
  const path = await operation.locator('[data-path]').getAttribute('data-path');
  return `${method} ${path ?? ''}`;
}

describe('the static assets', () => {
  const types = [
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/try', 'text/html; charset=utf-8'],
    ['/docs/reference.css', 'text/css; charset=utf-8'],
    ['/docs/reference.js', 'text/javascript; charset=utf-8'],
    ['/docs/swagger-ui/swagger-ui.css', 'text/css; charset=utf-8'],
  ] as const;

  it.each(types)('%s is kept only with asking, and under a strict policy', async (path, type) => {
    const { status, headers } = await fetch(origin + path);
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe(type);
    expect(headers.get('Cache-Control')).toBe('public, max-age=0, must-revalidate');
    expect(headers.get('ETag')).toMatch(/^"\w+"$/);
    expect(headers.get('Content-Security-Policy')).toBe(POLICY);
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Referrer-Policy')).toBe('no-referrer');
  });

  it.each([
    ['/', 302],
    ['/docs/', 307],
  ])('%s leads to /docs', async (path, status) => {
    const response = await fetch(origin + path, { redirect: 'manual' });
    expect([response.status, response.headers.get('Location')]).toEqual([status, '/docs']);
  });

  it.each(['/nothing', '/docs/nothing', '/api/brand/v1/', '/_headers', '/_redirects'])(
    'leave %s to the service',
    async (path) => {
      const response = await fetch(origin + path);
      expect([response.status, await response.text()]).toEqual([404, '{"error":"Not found."}']);
      expect(response.headers.get('X-Request-Id')).not.toBeNull();
    },
  );
});
