import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { reference } from '../../../tools/build/reference/reference.ts';
import { takeSite } from '../../node/pool.ts';
import { document, documentedOperations } from '../../support/document.ts';
import { violations } from './axe.ts';
import { startBrowser } from './browser.ts';
import type { Look } from './tab.ts';
import { Tab } from './tab.ts';

const MOST_BYTES = 60 * 1024;
const DEFAULT_ORIGIN = 'https://api.example.com';
const WIDE = { width: 1280 };
const PHONE = { width: 390 };
const LOOKS: readonly Look[] = [
  { ...PHONE, colorScheme: 'light' },
  { ...WIDE, colorScheme: 'dark' },
];

const compress = promisify(gzip);
const object = z.looseObject({ properties: z.record(z.string(), z.unknown()) });
const texts = z.array(z.string());

let browser: Browser;
let tab: Tab;
let page: Page;
let origin: string;

beforeAll(async () => {
  browser = await startBrowser();
  tab = await Tab.open(browser);
  page = tab.page;
  origin = `http://localhost:${(await takeSite()).port}`;
});

afterAll(() => browser.close());

const visit = (look: Look = WIDE, place = ''): Promise<void> =>
  tab.visit(`${origin}/docs${place}`, look);

it('is what the document, the guides and the components make', async () => {
  for (const [file, text] of Object.entries(await reference())) {
    const path = file.replace('public', '').replace('.html', '');
    const served = await (await fetch(origin + path)).text();
    expect(served === text, `${path} is stale: run "npm run docs"`).toBe(true);
  }
});

describe.each(LOOKS)('at $width pixels in $colorScheme', (look) => {
  it('fits, keeps its policy, loads nothing from elsewhere and little from here', async () => {
    await visit(look);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(look.width);
    expect(tab.complaints).toEqual([]);
    expect(tab.requested.filter((url) => new URL(url).origin !== origin)).toEqual([]);
    const sizes = tab.requested.map(async (url) => {
      const body = await (await fetch(url)).arrayBuffer();
      return (await compress(body)).byteLength;
    });
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(total).toBeLessThanOrEqual(MOST_BYTES);
  });

  it('fits with text of 200 %, and breaks no rule of axe, nor does its search', async () => {
    await visit(look);
    expect(await violations(page)).toEqual([]);
    await page.evaluate('document.documentElement.style.fontSize = "200%"');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(look.width);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.keyboard.type('sku');
    expect(await violations(page, '.search-dialog')).toEqual([]);
  });
});

describe('what it says', () => {
  it('has every operation with samples in three languages, and every field with a text', async () => {
    await visit();
    const ids = Object.values(document.paths)
      .flatMap((path) => Object.values(path))
      .flatMap((value) => z.object({ operationId: z.string() }).safeParse(value).data ?? []);
    expect(ids).toHaveLength(documentedOperations.length);
    for (const { operationId } of ids) {
      const article = page.locator('article', { has: page.locator(`#${operationId}`) });
      const languages = article.locator('.tabs').first().locator('label');
      expect(await languages.allInnerTexts()).toEqual(['curl', 'TypeScript', 'Python']);
    }
    const fieldTexts = await page.locator('[id^="product-"] dd').allInnerTexts();
    const { properties } = object.parse(document.components['schemas']?.['Product']);
    expect(fieldTexts).toHaveLength(Object.keys(properties).length);
    for (const text of fieldTexts) expect(text).toMatch(/\w+.*\./);
  });

  it('has a place for every link on the page, and each place once', async () => {
    await visit();
    const attributes = async (name: string): Promise<string[]> => {
      const all = `[...document.querySelectorAll('[${name}]')]`;
      return texts.parse(await page.evaluate(`${all}.map((one) => one.getAttribute('${name}'))`));
    };
    const ids = await attributes('id');
    expect(ids).toEqual([...new Set(ids)]);
    const inside = (await attributes('href')).filter((href) => href.startsWith('#'));
    expect(inside.length).toBeGreaterThan(100);
    expect(inside.filter((href) => !ids.includes(href.slice(1)))).toEqual([]);
  });

  it('shows what a link names, in the address of the page', async () => {
    await visit(WIDE, '#product-storeVariantId');
    const { y = -1 } = (await page.locator('#product-storeVariantId').boundingBox()) ?? {};
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y).toBeLessThan(200);
    const text = await page.locator('main').innerText();
    expect(text).toContain(`curl "${origin}/api/brand/v1/profile"`);
    expect(text).not.toContain(DEFAULT_ORIGIN);
  });
});

describe('the search', () => {
  it.each([
    ['Control+k', 'change fields product', 'Change fields of a product', '#updateProduct'],
    ['/', 'SAVE10 already exists', '409 Coupon code', '#createCouponCode-409'],
    // Only the text of the field says it.
    ['/', 'stock keeping', 'sku', '#product-sku'],
  ])('opens with %s, and finds %s by keyboard alone', async (shortcut, query, title, place) => {
    await visit();
    await page.keyboard.press(shortcut);
    await page.keyboard.type(query);
    const first = page.getByRole('option').first().locator('.title');
    expect(await first.innerText()).toContain(title);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toBe(`${origin}/docs${place}`);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('takes the result that the arrow keys choose, and says if there is none', async () => {
    await visit();
    await page.keyboard.press('/');
    await page.keyboard.type('xylophone');
    expect(await page.getByRole('status').innerText()).toBe('Nothing found.');
    await page.getByRole('combobox').fill('sku');
    await page.keyboard.press('ArrowDown');
    const chosen = page.locator('[role="option"][aria-selected="true"]');
    expect(await chosen.getAttribute('id')).toBe('search-result-1');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toBe(`${origin}/docs#listProducts-sku`);
  });
});

describe('its tools', () => {
  it('the skip link comes first, and leads past the contents', async () => {
    const focused = 'document.activeElement.getAttribute("href")';
    await visit();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(focused)).toBe('#content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(focused)).toBe('/api/brand/v1/openapi.json');
  });

  it('the menu of a phone opens, and closes after a choice', async () => {
    await visit(PHONE);
    const menu = page.getByRole('navigation', { name: 'Contents, in the menu' });
    await page.locator('.menu summary').focus();
    await page.keyboard.press('Enter');
    await menu.getByRole('link', { name: 'Paging' }).click();
    expect(await menu.isVisible()).toBe(false);
    expect(page.url()).toBe(`${origin}/docs#paging`);
  });

  it('a choice of a language and of the colours is kept', async () => {
    await visit();
    await page.locator('.tabs input[value="python"]').first().check();
    await page.getByRole('button', { name: 'Switch to dark colours' }).click();
    expect(await violations(page, 'header')).toEqual([]);
    // The script that runs after the page is there does not take part.
    await page.route('**/reference.js', (route) => route.abort());
    await page.reload();
    const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(ground).toBe('rgb(13, 17, 23)');
    await page.unroute('**/reference.js');
    await page.reload();
    expect(await page.locator('.panel[data-tab="python"]').first().isVisible()).toBe(true);
  });

  it('samples and operations are copied, with the address of the page', async () => {
    await visit();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    for (const [button, copied] of [
      ['Copy Read the profile: curl', `curl "${origin}/api/brand/v1/profile" \\\n  -H "Auth`],
      ['Copy as Markdown: Delete a product', '# Delete a product\n\n`DELETE http'],
    ] as const) {
      await page.getByRole('button', { name: button }).click();
      const read = (): Promise<unknown> => page.evaluate('navigator.clipboard.readText()');
      await expect.poll(read).toContain(copied);
    }
  });
});

it('without a script has all text and all samples, and nothing that needs one', async () => {
  const own = await Tab.open(browser, { javaScriptEnabled: false });
  await own.visit(`${origin}/docs`, WIDE);
  const panels = own.page.locator('.panel');
  expect(await own.page.locator('.panel:visible').count()).toBe(await panels.count());
  for (const part of ['.tools', '[data-try]', 'dialog', '.tabs fieldset']) {
    expect(await own.page.locator(`${part}:visible`).count()).toBe(0);
  }
  await own.page.locator('#createProduct-200-results summary').click();
  expect(await own.page.locator('#createProduct-200-results-status').isVisible()).toBe(true);
  await own.close();
});

it('in print has all samples and no navigation', async () => {
  await visit();
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.panel:visible').count()).toBe(await page.locator('.panel').count());
  for (const part of ['header', '.sidebar', '.copy']) {
    expect(await page.locator(`${part}:visible`).count()).toBe(0);
  }
  await page.emulateMedia({ media: null });
});
