import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { reference } from '../../build/reference/reference.ts';
import { takeSite } from '../../../test/node/pool.ts';
import { document, documentedOperations } from '../../../test/support/document.ts';
import { violations } from './axe.ts';
import type { Look } from './browser.ts';
import { startBrowser, Tab } from './browser.ts';

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

it('The page is what the document, the guides and the components make', async () => {
  for (const [file, text] of Object.entries(await reference())) {
    const path = file.replace('public', '').replace('.html', '');
    const served = await (await fetch(origin + path)).text();
    expect(served === text, `${path} is stale: run "npm run docs"`).toBe(true);
  }
});

describe.each(LOOKS)('$width pixels, $colorScheme', (look) => {
  it('The page fits, keeps its policy, loads nothing from elsewhere and little from here', async () => {
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

  it('The page fits with text of 200 %, and breaks no rule of axe, nor does its search', async () => {
    await visit(look);
    expect(await violations(page)).toEqual([]);
    await page.evaluate('document.documentElement.style.fontSize = "200%"');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(look.width);
    await page.keyboard.press('/');
    await page.keyboard.type('sku');
    expect(await violations(page, 'header')).toEqual([]);
  });
});

it('The page has every operation with samples in three languages, and every field with a text', async () => {
  await visit();
  const ids = Object.values(document.paths)
    .flatMap((path) => Object.values(path))
    .flatMap((value) => z.object({ operationId: z.string() }).safeParse(value).data ?? []);
  expect(ids).toHaveLength(documentedOperations.length);
  for (const { operationId } of ids) {
    const article = page.locator('article', { has: page.locator(`#${operationId}`) });
    const languages = article.locator('figure').first().locator('summary');
    expect(await languages.allInnerTexts()).toEqual(['curl', 'TypeScript', 'Python']);
  }
  const fieldTexts = await page.locator('[id^="product-"] > dd').allInnerTexts();
  const { properties } = object.parse(document.components['schemas']?.['Product']);
  expect(fieldTexts).toHaveLength(Object.keys(properties).length);
  for (const text of fieldTexts) expect(text).toMatch(/\w+.*\./);
});

it('The page has a place for every link on the page, and each place once', async () => {
  await visit();
  const attributes = async (name: string): Promise<string[]> => {
    const all = `[...document.querySelectorAll('[${name}]')]`;
    return texts.parse(await page.evaluate(`${all}.map((one) => one.getAttribute('${name}'))`));
  };
  const ids = await attributes('id');
  expect(ids).toEqual([...new Set(ids)]);
  const links = await attributes('href');
  // A relative link leads from a document to another one, which is not beside the page.
  expect(links.filter((href) => !/^(?:#|\/|https:)/.test(href))).toEqual([]);
  const inside = links.filter((href) => href.startsWith('#'));
  expect(inside.length).toBeGreaterThan(100);
  expect(inside.filter((href) => !ids.includes(href.slice(1)))).toEqual([]);
});

it('The page shows what a link names, in the address of the page', async () => {
  await visit(WIDE, '#product-storeVariantId');
  const { y = -1 } = (await page.locator('#product-storeVariantId').boundingBox()) ?? {};
  expect(y).toBeGreaterThanOrEqual(0);
  expect(y).toBeLessThan(200);
  const text = await page.locator('main').innerText();
  expect(text).toContain(`curl "${origin}/api/brand/v1/profile"`);
  expect(text).not.toContain(DEFAULT_ORIGIN);
});

it.each([
  ['change fields product', 'Change fields of a product', '#updateProduct'],
  [
    'SAVE10 already exists',
    '409: The brand has a coupon code with this code already, ignoring case\nCreate or push coupon codes',
    '#createCouponCode-409',
  ],
  // Only the text of the field says it.
  ['stock keeping', 'sku', '#product-sku'],
])('The search finds a place by keyboard alone: %s', async (query, title, place) => {
  await visit();
  await page.keyboard.press('/');
  await page.keyboard.type(query);
  const results = page.getByRole('search').getByRole('link');
  expect(await results.first().innerText()).toContain(title);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toBe(`${origin}/docs${place}`);
  expect(await results.count()).toBe(0);
});

it('The search names its key only where there is a keyboard', async () => {
  await visit();
  const input = page.getByRole('searchbox');
  expect(await input.getAttribute('placeholder')).toBe('Search (press /)');
  const phone = await Tab.open(browser, { hasTouch: true, isMobile: true });
  await phone.visit(`${origin}/docs`, PHONE);
  const field = phone.page.getByRole('searchbox');
  expect(await field.getAttribute('placeholder')).toBe('Search');
  await phone.close();
});

it('The search says if there is nothing', async () => {
  await visit();
  await page.keyboard.press('/');
  await page.keyboard.type('xylophone');
  expect(await page.getByRole('status').innerText()).toBe('Nothing found.');
});

it('The skip link comes first, and leads past the contents', async () => {
  const focused = 'document.activeElement.getAttribute("href")';
  await visit();
  await page.keyboard.press('Tab');
  expect(await page.evaluate(focused)).toBe('#content');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(focused)).toBe('/api/brand/v1/openapi.json');
});

it('The contents open on a phone, and close after a choice', async () => {
  await visit(PHONE);
  const contents = page.getByRole('navigation');
  expect(await contents.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Contents' }).click();
  await contents.getByRole('link', { name: 'Paging' }).click();
  expect(await contents.isVisible()).toBe(false);
  expect(page.url()).toBe(`${origin}/docs#paging`);
});

it('A choice of a language is one for all samples', async () => {
  await visit();
  await page.locator('summary', { hasText: 'Python' }).first().click();
  const closed = page.locator('[data-language="python"]:not([open])');
  await expect.poll(() => closed.count()).toBe(0);
  expect(await page.locator('[data-language="ts"][open]').count()).toBe(0);
});

it('A sample is copied with the address of the page', async () => {
  await visit();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const sample = page.locator('figure', { hasText: 'Read the profile' }).first();
  await sample.getByRole('button', { name: 'Copy' }).first().click();
  const read = (): Promise<unknown> => page.evaluate('navigator.clipboard.readText()');
  await expect.poll(read).toContain(`curl "${origin}/api/brand/v1/profile" \\\n  -H "Auth`);
});

it('A button takes no room from its code, and no line of code is wrapped', async () => {
  await visit();
  const sample = page.locator('figure', { hasText: 'Read the profile' }).first();
  const { y: below = 0 } = (await sample.locator('pre').first().boundingBox()) ?? {};
  const button = await sample.getByRole('button', { name: 'Copy' }).first().boundingBox();
  expect((button?.y ?? below) + (button?.height ?? 0)).toBeLessThanOrEqual(below);
  expect(await page.locator('figure', { hasText: 'Base URL' }).locator('summary').count()).toBe(0);
});

it('The page without a script has all text, samples and contents, and nothing that needs one', async () => {
  const own = await Tab.open(browser, { javaScriptEnabled: false });
  await own.visit(`${origin}/docs`, WIDE);
  expect(await own.page.locator('button:visible, input:visible').count()).toBe(0);
  expect(await own.page.getByRole('navigation').isVisible()).toBe(true);
  const sample = own.page.locator('figure', { hasText: 'Create one' }).first();
  await sample.locator('summary', { hasText: 'Python' }).click();
  expect(await sample.locator('pre:visible').innerText()).toContain('call(');
  await own.visit(`${origin}/docs`, PHONE);
  await own.page.getByRole('button', { name: 'Contents' }).click();
  expect(await own.page.getByRole('navigation').isVisible()).toBe(true);
  await own.close();
});
