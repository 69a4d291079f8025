import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BrandClient } from '../../../client/src/index.ts';
import { takeSite } from '../../node/pool.ts';
import { documentedOperations } from '../../support/document.ts';
import { violations } from './axe.ts';
import { startBrowser } from './browser.ts';
import { Tab } from './tab.ts';

let browser: Browser;
let tab: Tab;
let page: Page;
let origin: string;
let key: string;
let client: BrandClient;

beforeAll(async () => {
  const { port, apiKey } = await takeSite();
  key = apiKey;
  origin = `http://localhost:${port}`;
  client = new BrandClient({ apiKey, baseUrl: origin });
  browser = await startBrowser();
  tab = await Tab.open(browser);
  page = tab.page;
});

beforeEach(() => tab.visit(`${origin}/docs`, { width: 1280 }));

afterAll(() => browser.close());

/** Opens the panel of an operation with a key in it. */
async function open(id: string, withKey = key): Promise<Locator> {
  await page.locator(`[data-try="${id}"]`).click();
  await page.getByLabel('API key').fill(withKey);
  return page.locator('dialog.try');
}

/** Sends the request, and returns the status of the response. */
async function send(): Promise<string> {
  await page.locator('.send').click();
  return page.locator('.outcome strong').innerText();
}

describe('a request in the page', () => {
  it('is there for every operation, and reads a list with its parameters', async () => {
    expect(await page.locator('[data-try]').count()).toBe(documentedOperations.length);
    const title = 'Whey Protein, Vanilla';
    await client.products.create({ title, priceCents: 3999, sku: 'TRY-1' });
    const panel = await open('listProducts');
    await panel.getByLabel('sku').fill('TRY-1');
    expect(await send()).toBe('200');
    expect(await panel.locator('pre').innerText()).toContain(`"title": "${title}"`);
    expect(tab.requested.at(-1)).toBe(`${origin}/api/brand/v1/products?limit=10&sku=TRY-1`);
    expect(await panel.locator('.warning').count()).toBe(0);
  });

  it('changes a product, after it has said that the data is real, and sends headers', async () => {
    const { data } = await client.products.create({ title: 'Rope', priceCents: 1250 });
    const panel = await open('updateProduct');
    expect(await panel.locator('.warning').innerText()).toContain('This changes real data.');
    await panel.getByLabel('productId').fill(data.id);
    await panel.getByLabel('Body').fill('{"priceCents": 1100}');
    expect(await send()).toBe('200');
    expect((await client.products.get(data.id)).data.priceCents).toBe(1100);
    await panel.locator('summary').first().click();
    await panel.getByLabel('If-Match').fill('"another"');
    expect(await send()).toBe('412');
  });

  it('begins a body with an example, and shows an error as the service sends it', async () => {
    const panel = await open('createCouponCode');
    await panel.getByLabel('Example').selectOption('1');
    expect(JSON.parse(await panel.getByLabel('Body').inputValue())).toHaveProperty('couponCodes');
    await panel.getByLabel('Body').fill('{"discountPercent": 10}');
    expect(await send()).toBe('400');
    expect(await panel.locator('pre').innerText()).toContain('code: required');
  });

  it('says that a deletion is final, and sends none without an id or a key', async () => {
    const panel = await open('deleteProduct');
    expect(await panel.locator('.warning').innerText()).toContain('A deletion is final.');
    const before = tab.requested.length;
    await panel.locator('.send').click();
    await panel.getByLabel('productId').fill('x');
    await page.getByLabel('API key').fill('');
    await panel.locator('.send').click();
    expect(tab.requested.slice(before)).toEqual([]);
  });

  it('stays at the service, whatever is entered as an id, and follows no redirect', async () => {
    const panel = await open('getProduct');
    const before = tab.requested.length;
    for (const id of ['//elsewhere.invalid/x', '..', 'https://elsewhere.invalid', '?a#b']) {
      await panel.getByLabel('productId').fill(id);
      expect(await send()).toBe('404');
    }
    await page.route('**/api/brand/v1/products/r', (route) =>
      route.fulfill({ status: 302, headers: { Location: 'https://elsewhere.invalid' } }),
    );
    await panel.getByLabel('productId').fill('r');
    await panel.locator('.send').click();
    await panel.getByText('No response came.').waitFor();
    await page.unroute('**/api/brand/v1/products/r');
    const asked = tab.requested.slice(before);
    expect(asked).toHaveLength(5);
    expect(asked.filter((url) => new URL(url).origin !== origin)).toEqual([]);
  });
});

describe('the key', () => {
  it('is hidden, in no storage, no URL and no history, and is gone after a reload', async () => {
    await open('listProducts');
    const field = page.getByLabel('API key');
    const shown = 'getComputedStyle(document.querySelector("#try-key")).webkitTextSecurity';
    expect(await page.evaluate(shown)).toBe('disc');
    expect(await field.getAttribute('autocomplete')).toBe('off');
    expect(await send()).toBe('200');
    const kept = await page.evaluate(`(async () => JSON.stringify([
      ...[localStorage, sessionStorage].flatMap((all) =>
        Array.from({ length: all.length }, (_, at) => [all.key(at), all.getItem(all.key(at))])), document.cookie, location.href, history.state,
      await indexedDB.databases(), await caches.keys(), performance.getEntries().map(({ name }) => name),
      document.documentElement.outerHTML,
    ]))()`);
    expect(kept).toContain('/api/brand/v1/products?limit=10');
    expect(kept).not.toContain(key);
    expect(tab.requested.filter((url) => url.includes(key))).toEqual([]);
    await page.reload();
    await page.locator('[data-try="listProducts"]').click();
    expect(await field.inputValue()).toBe('');
  });

  it('is shared by all operations, and not by pages that are left', async () => {
    await open('listProducts');
    await page.keyboard.press('Escape');
    await page.locator('[data-try="getProfile"]').click();
    expect(await page.getByLabel('API key').inputValue()).toBe(key);
    await page.goto('about:blank');
    await page.goBack();
    await page.locator('[data-try="getProfile"]').click();
    expect(await page.getByLabel('API key').inputValue()).toBe('');
  });
});

describe('the panel', () => {
  it('opens and closes by keyboard, and gives the focus back', async () => {
    await page.locator('[data-try="getProfile"]').focus();
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('try-key');
    await page.keyboard.type(key);
    await page.keyboard.press('Enter');
    expect(await page.locator('.outcome strong').innerText()).toBe('200');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.evaluate('document.activeElement.dataset.try')).toBe('getProfile');
  });

  it.each([
    { width: 390, colorScheme: 'light', size: '200%' },
    { width: 1280, colorScheme: 'dark', size: '100%' },
  ] as const)('fits and breaks no rule of axe: %o', async ({ size, ...look }) => {
    await tab.visit(`${origin}/docs`, look);
    await page.evaluate(`document.documentElement.style.fontSize = ${JSON.stringify(size)}`);
    const panel = await open('updateProduct');
    await panel.getByLabel('productId').fill('x');
    expect(await send()).toBe('404');
    for (const unfolding of await panel.locator('summary').all()) await unfolding.click();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(look.width);
    expect(await violations(page, '.try')).toEqual([]);
    // A status of 400 and more is logged by the browser itself.
    expect(tab.complaints.filter((text) => !text.includes('404'))).toEqual([]);
  });
});
