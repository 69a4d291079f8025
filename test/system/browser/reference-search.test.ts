import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { shareServer } from '../../node/shared-server.ts';
import { violations } from './axe.ts';
import { startBrowser } from './browser.ts';
import { Tab } from './tab.ts';

let browser: Browser;
let tab: Tab;
let page: Page;
let origin: string;

beforeAll(async () => {
  browser = await startBrowser();
  tab = await Tab.open(browser);
  page = tab.page;
  origin = `http://localhost:${(await shareServer()).port}`;
});

beforeEach(() => tab.visit(`${origin}/docs`, { width: 1280 }));

afterAll(() => browser.close());

describe('the search', () => {
  const found = (): Promise<string[]> => page.getByRole('option').allInnerTexts();

  it.each(['Control+k', 'Meta+k', '/'])(
    'opens with %s, and closes with Escape',
    async (shortcut) => {
      await page.keyboard.press(shortcut);
      const dialog = page.getByRole('dialog', { name: 'Search' });
      expect(await dialog.isVisible()).toBe(true);
      expect(await page.getByRole('combobox').inputValue()).toBe('');
      await page.keyboard.press('Escape');
      expect(await dialog.isVisible()).toBe(false);
    },
  );

  it.each([
    ['change fields product', 'Change fields of a product', '#updateProduct'],
    ['marketplaceCategory', 'marketplaceCategory', '#product-marketplaceCategory'],
    ['SAVE10 already exists', '409 Coupon code "SAVE10" already exists.', '#createCouponCode-409'],
    ['read-only', '403 This API key is read-only.', '#replaceProfile-403'],
    ['prefer', 'Prefer', '#createProduct-Prefer'],
    ['lost updates', 'Lost updates', '#retries-lost-updates'],
    // Only the text of the field says it.
    ['stock keeping', 'sku', '#product-sku'],
  ])('finds %s by keyboard alone', async (query, title, place) => {
    await page.keyboard.press('/');
    await page.keyboard.type(query);
    expect(await page.getByRole('option').first().locator('.title').innerText()).toBe(title);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toBe(`${origin}/docs${place}`);
    expect(await page.getByRole('dialog').count()).toBe(0);
    const top = async (): Promise<number> => (await page.locator(place).boundingBox())?.y ?? -1;
    await expect.poll(top).toBeGreaterThanOrEqual(0);
    expect(await top()).toBeLessThan(900);
  });

  it('takes the result that the arrow keys choose', async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('sku');
    expect((await found())[1]).toContain('List the products');
    await page.keyboard.press('ArrowDown');
    const input = page.getByRole('combobox');
    expect(await input.getAttribute('aria-activedescendant')).toBe('search-result-1');
    expect(await page.locator('#search-result-1').getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toBe(`${origin}/docs#listProducts-sku`);
  });

  it('says that it found nothing', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('xylophone');
    expect(await found()).toEqual([]);
    expect(await page.getByRole('status').innerText()).toBe('Nothing found.');
    await page.keyboard.press('Enter');
    expect(page.url()).toBe(`${origin}/docs`);
  });

  it('asks nobody', async () => {
    const before = tab.requested.length;
    await page.keyboard.press('/');
    await page.keyboard.type('sku');
    // The browser asks for the icon when it likes.
    expect(tab.requested.slice(before).filter((url) => !url.endsWith('/icon.svg'))).toEqual([]);
  });

  it.each([
    { width: 390, colorScheme: 'light' },
    { width: 1280, colorScheme: 'dark' },
  ] as const)('breaks no rule of axe at $width pixels in $colorScheme', async (look) => {
    await tab.visit(`${origin}/docs`, look);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.keyboard.type('sku');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(look.width);
    expect(await violations(page, '.search-dialog')).toEqual([]);
  });
});
