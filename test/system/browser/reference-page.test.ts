import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { reference } from '../../../tools/build/reference/reference.ts';
import { document, documentedOperations } from '../../support/document.ts';
import { violations } from './axe.ts';
import { startBrowser } from './browser.ts';
import { shareServer } from '../../node/shared-server.ts';
import type { Look } from './tab.ts';
import { Tab } from './tab.ts';

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];
const MOST_BYTES = 60 * 1024;
const DEFAULT_ORIGIN = 'https://api.example.com';
const WIDE = { width: 1280 };
const PHONE = { width: 390 };

const compress = promisify(gzip);
const operation = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  responses: z.record(z.string(), z.unknown()),
  parameters: z.array(
    z.looseObject({
      name: z.string().default(''),
      schema: z
        .looseObject({ type: z.string().optional(), enum: z.array(z.string()).optional() })
        .optional(),
    }),
  ),
});
const status = z.looseObject({
  enum: z.array(z.string()).optional(),
  const: z.string().optional(),
});
const pushResult = z
  .looseObject({ oneOf: z.array(z.looseObject({ properties: z.looseObject({ status }) })) })
  .parse(document.components['schemas']?.['PushResult']);
const object = z.looseObject({ properties: z.record(z.string(), z.unknown()) });

/** All operations of the document. */
const described = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([method]) => METHODS.includes(method))
    .map(([method, value]) => ({ method, path, ...operation.parse(value) })),
);

let browser: Browser;
let tab: Tab;
let origin: string;

beforeAll(async () => {
  browser = await startBrowser();
  tab = await Tab.open(browser);
  origin = `http://localhost:${(await shareServer()).port}`;
});

afterAll(() => browser.close());

/** Opens the page at a place, and gives it to a test. */
async function onPage(look: Look, test: (page: Page) => Promise<void>, place = ''): Promise<void> {
  await tab.visit(`${origin}/docs${place}`, look);
  await test(tab.page);
}

/** Opens the page where scripts do not run, and gives it to a test. */
async function onPageWithoutScript(look: Look, test: (page: Page) => Promise<void>): Promise<void> {
  const own = await Tab.open(browser, { javaScriptEnabled: false });
  try {
    await own.visit(`${origin}/docs`, look);
    await test(own.page);
  } finally {
    await own.close();
  }
}

it('is what the document, the guides and the components make', async () => {
  for (const [file, text] of Object.entries(await reference())) {
    const path = file.replace('public', '').replace('.html', '');
    const served = await (await fetch(origin + path)).text();
    expect(served === text, `${path} is stale: run "npm run docs"`).toBe(true);
  }
});

const looks = [390, 768, 1280, 1600].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

describe.each(looks)('at $width pixels in $colorScheme', ({ width, colorScheme }) => {
  beforeAll(() => tab.visit(`${origin}/docs`, { width, colorScheme }));

  it('fits, keeps its policy, loads nothing from elsewhere and little from here', async () => {
    const { page, requested, complaints } = tab;
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    const painted = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(painted).toBe(colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(13, 17, 23)');
    expect(complaints).toEqual([]);
    expect(requested.filter((url) => new URL(url).origin !== origin)).toEqual([]);
    const sizes = requested.map(async (url) => {
      const body = await (await fetch(url)).arrayBuffer();
      return (await compress(body)).byteLength;
    });
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(total).toBeLessThanOrEqual(MOST_BYTES);
  });

  it('breaks no rule of axe', async () => {
    expect(await violations(tab.page)).toEqual([]);
  });
});

describe.each(
  [390, 1280].flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
  ),
)('with text of 200 % at $width pixels in $colorScheme', ({ width, colorScheme }) => {
  beforeAll(async () => {
    await tab.visit(`${origin}/docs`, { width, colorScheme });
    await tab.page.evaluate('document.documentElement.style.fontSize = "200%"');
  });

  it('fits', async () => {
    expect(await tab.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  });

  it('breaks no rule of axe', async () => {
    expect(await violations(tab.page)).toEqual([]);
  });
});

describe('what it says', () => {
  it('has every operation, with its errors and samples in three languages', () =>
    onPage(WIDE, async (page) => {
      expect(described).toHaveLength(documentedOperations.length);
      for (const { method, path, operationId, responses } of described) {
        const article = page.locator('article', { has: page.locator(`#${operationId}`) });
        expect(await article.locator('.address').innerText()).toMatch(
          new RegExp(
            `^${method.toUpperCase()}\\s+/api/brand/v1${path.replaceAll(/[{}]/g, '\\$&')}$`,
          ),
        );
        const shown = await article.locator('.errors .status').allInnerTexts();
        expect(shown).toEqual(Object.keys(responses).filter((status) => Number(status) >= 400));
        const languages = await article.locator('.tabs').first().locator('label').allInnerTexts();
        expect(languages).toEqual(['curl', 'TypeScript', 'Python']);
      }
    }));

  it('has every field of every resource, each with a text and a place of its own', () =>
    onPage(WIDE, async (page) => {
      const schemas = [
        ['Product', 'product'],
        ['CouponCode', 'coupon-code'],
        ['Brand', 'brand'],
        ['Connection', 'connection'],
      ] as const;
      for (const [name, id] of schemas) {
        const { properties } = object.parse(document.components['schemas']?.[name]);
        for (const field of Object.keys(properties)) {
          expect(await page.locator(`#${id}-${field} dd`).innerText()).toMatch(/\w+.*\./);
        }
      }
    }));

  it('lists the values of every parameter that has a choice', () =>
    onPage(WIDE, async (page) => {
      const choices = described.flatMap(({ operationId, parameters }) =>
        parameters.flatMap(({ name, schema }) => {
          const values = schema?.type === 'boolean' ? ['true', 'false'] : (schema?.enum ?? []);
          return values.map((value) => ({ place: `#${operationId}-${name} dd`, value }));
        }),
      );
      expect(choices.map(({ place }) => place)).toContain('#createProduct-match dd');
      for (const { place, value } of choices) {
        expect((await page.locator(place).innerText()).toLowerCase()).toContain(
          value.toLowerCase(),
        );
      }
    }));

  it.each(['Product', 'CouponCode'])(
    'says what a push of a %s needs, and what each result means',
    (name) =>
      onPage(WIDE, async (page) => {
        const article = page.locator('article', { has: page.locator(`#create${name}`) });
        const required = await article
          .locator('.chips li', { hasText: 'required' })
          .allInnerTexts();
        expect(required.length).toBeGreaterThan(0);
        for (const text of required) expect(text).toMatch(/^\w+ required to create$/);
        expect(await article.innerText()).toContain('including the one that match names');
        await page.locator(`#create${name}-200-results summary`).click();
        const status = page.locator(`#create${name}-200-results-status dd`);
        for (const { properties } of pushResult.oneOf) {
          for (const value of properties.status.enum ?? [properties.status.const]) {
            expect(await status.innerText()).toContain(value);
          }
        }
      }),
  );

  it('refers its readers to nothing that they do not have', () =>
    onPage(WIDE, async (page) => {
      expect(await page.locator('main').innerText()).not.toMatch(/\b\w+\.md\b/);
    }));

  it('has a place for every link on the page, and each place once', () =>
    onPage(WIDE, async (page) => {
      const ids = z
        .array(z.string())
        .parse(await page.evaluate('[...document.querySelectorAll("[id]")].map(({ id }) => id)'));
      expect(ids).toEqual([...new Set(ids)]);
      const links = z
        .array(z.string())
        .parse(
          await page.evaluate(
            '[...document.links].map((link) => link.getAttribute("href")).filter((href) => href.startsWith("#"))',
          ),
        );
      expect(links.length).toBeGreaterThan(100);
      expect(links.filter((href) => !ids.includes(href.slice(1)))).toEqual([]);
    }));

  it('leads to the document', () =>
    onPage(WIDE, async (page) => {
      const path = '/api/brand/v1/openapi.json';
      expect(await page.locator(`.hero a[href="${path}"]`).count()).toBe(1);
      expect((await fetch(origin + path)).status).toBe(200);
    }));

  it('shows the values of every enumeration as chips, without listing them twice', () =>
    onPage(WIDE, async (page) => {
      const status = page.locator('#product-storeStatus');
      expect(await status.locator('.values li').allInnerTexts()).toEqual([
        'ACTIVE',
        'DRAFT',
        'ARCHIVED',
        'UNLISTED',
      ]);
      expect(await status.locator('dd').innerText()).not.toContain('One of');
      const currencies = page.locator('#product-currencyCode details');
      expect(await currencies.getByText('SEK').isVisible()).toBe(false);
      await currencies.locator('summary').click();
      expect(await currencies.getByText('SEK').isVisible()).toBe(true);
    }));

  it('unfolds the members of results, and the fields of resources', () =>
    onPage(WIDE, async (page) => {
      const status = page.locator('#createProduct-200-results-status');
      expect(await status.isVisible()).toBe(false);
      await page.locator('#createProduct-200-results summary').click();
      expect(await status.isVisible()).toBe(true);
      expect(await status.locator('.values li').allInnerTexts()).toContain('refused');
      const brand = page.locator('#getProfile-200-brand');
      await brand.locator('summary').click();
      expect(await brand.locator('a[href="#brand-supportEmail"]').isVisible()).toBe(true);
    }));
});

describe('deep links', () => {
  it.each(['#createProduct', '#product-storeVariantId', '#listProducts-since', '#retries'])(
    '%s shows what it names',
    (place) =>
      onPage(
        WIDE,
        async (page) => {
          const { y = -1 } = (await page.locator(place).boundingBox()) ?? {};
          expect(y).toBeGreaterThanOrEqual(0);
          expect(y).toBeLessThan(200);
        },
        place,
      ),
  );

  it('marks what is read in the sidebar', () =>
    onPage(
      WIDE,
      async (page) => {
        const current = page.locator('.sidebar [aria-current]');
        await expect.poll(() => current.getAttribute('href')).toBe('#createProduct');
      },
      '#createProduct',
    ));
});

describe('with a keyboard', () => {
  const focused = 'document.activeElement.getAttribute("href")';

  it('the skip link comes first, then the header with its tools, the contents and the text', () =>
    onPage(WIDE, async (page) => {
      const order: unknown[] = [];
      for (let stop = 0; stop < 6; stop++) {
        await page.keyboard.press('Tab');
        order.push(await page.evaluate(focused));
        const outline = await page.evaluate(
          'getComputedStyle(document.activeElement).outlineStyle',
        );
        expect(outline).toBe('solid');
        const { y = -1 } = (await page.locator(':focus').boundingBox()) ?? {};
        expect(y).toBeGreaterThanOrEqual(0);
      }
      expect(order).toEqual(['#content', '#content', null, null, '#start', '#authentication']);
    }));

  it('the skip link leads past the contents', () =>
    onPage(WIDE, async (page) => {
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      expect(await page.evaluate(focused)).toBe('/api/brand/v1/openapi.json');
    }));

  it('the arrow keys choose the language of the samples', () =>
    onPage(WIDE, async (page) => {
      await page.locator('.tabs input').first().focus();
      await page.keyboard.press('ArrowRight');
      expect(await page.locator('.panel[data-tab="ts"]').first().isVisible()).toBe(true);
      expect(await page.locator('.panel[data-tab="sh"]:visible label').count()).toBe(0);
    }));

  it('the menu of a phone opens, closes with Escape, and after a choice', () =>
    onPage(PHONE, async (page) => {
      const menu = page.getByRole('navigation', { name: 'Contents, in the menu' });
      await page.locator('.menu summary').focus();
      await page.keyboard.press('Enter');
      expect(await menu.isVisible()).toBe(true);
      await page.keyboard.press('Escape');
      expect(await menu.isVisible()).toBe(false);
      await page.keyboard.press('Enter');
      await menu.getByRole('link', { name: 'Paging' }).click();
      expect(await menu.isVisible()).toBe(false);
      expect(page.url()).toBe(`${origin}/docs#paging`);
    }));
});

it('has one banner, one main part and one named navigation', () =>
  onPage(WIDE, async (page) => {
    const landmarks = ['banner', 'main', 'navigation'] as const;
    for (const role of landmarks) expect(await page.getByRole(role).count()).toBe(1);
    expect(await page.getByRole('navigation', { name: 'Contents' }).count()).toBe(1);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  }));

describe('with a script', () => {
  it('the samples have the address of the page', () =>
    onPage(WIDE, async (page) => {
      const text = await page.locator('main').innerText();
      expect(text).toContain(`curl "${origin}/api/brand/v1/profile"`);
      expect(text).not.toContain(DEFAULT_ORIGIN);
    }));

  it('one choice of a language is for all samples, and is kept', () =>
    onPage(WIDE, async (page) => {
      await page.locator('.tabs input[value="python"]').first().check();
      await page.reload();
      const all = page.locator('.tabs:has(input[value="python"])');
      const shown = page.locator('.tabs:has(fieldset) .panel[data-tab="python"]:visible');
      expect(await shown.count()).toBe(await all.count());
      // Of what there is in one language only, that is shown.
      expect(await page.locator('.tabs:has(fieldset) .panel[data-tab="sh"]:visible').count()).toBe(
        0,
      );
    }));

  it('a sample is copied as it is shown', () =>
    onPage(WIDE, async (page) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copy Read the profile: curl' }).click();
      await page.getByText('Copied').waitFor();
      const copied = await page.evaluate('navigator.clipboard.readText()');
      expect(copied).toContain(`curl "${origin}/api/brand/v1/profile" \\\n  -H "Authorization`);
    }));
});

describe('the switch of colours', () => {
  const ground = 'getComputedStyle(document.body).backgroundColor';
  const [light, dark] = ['rgb(255, 255, 255)', 'rgb(13, 17, 23)'];

  it('is kept, and holds before the first paint', () =>
    onPage(WIDE, async (page) => {
      await page.getByRole('button', { name: 'Switch to dark colours' }).click();
      expect(await page.evaluate(ground)).toBe(dark);
      // The script that runs after the page is there does not take part.
      await page.route('**/reference.js', (route) => route.abort());
      await page.reload();
      expect(await page.evaluate(ground)).toBe(dark);
      await page.unroute('**/reference.js');
      const script = page.locator('head script').first();
      expect(await script.getAttribute('src')).toBe('/docs/scheme.js');
      for (const late of ['async', 'defer', 'type']) {
        expect(await script.getAttribute(late)).toBeNull();
      }
    }));

  it('follows the system again once it agrees with it', () =>
    onPage({ ...WIDE, colorScheme: 'dark' }, async (page) => {
      await page.getByRole('button', { name: 'Switch to light colours' }).click();
      expect(await page.evaluate(ground)).toBe(light);
      await page.getByRole('button', { name: 'Switch to dark colours' }).click();
      await page.emulateMedia({ colorScheme: 'light' });
      expect(await page.evaluate(ground)).toBe(light);
    }));

  it('breaks no rule of axe', () =>
    onPage(WIDE, async (page) => {
      await page.getByRole('button', { name: 'Switch to dark colours' }).click();
      expect(await violations(page)).toEqual([]);
    }));
});

it('an operation is copied as Markdown, with the address of the page', () =>
  onPage(WIDE, async (page) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy as Markdown: Delete a product' }).click();
    await page.getByText('Copied').waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toContain(
      `# Delete a product\n\n\`DELETE ${origin}/api/brand/v1/products/{productId}\`\n`,
    );
    expect(copied).not.toContain(DEFAULT_ORIGIN);
  }));

describe('without a script', () => {
  it('all text is there, and nothing that needs one', () =>
    onPageWithoutScript(WIDE, async (page) => {
      const text = (await page.locator('main').textContent()) ?? '';
      for (const { summary, description } of described) {
        expect(text).toContain(summary);
        const [sentence = ''] = description.split(/[`\n]/);
        expect(text).toContain(sentence);
      }
      for (const part of ['.tools', '[data-try]', 'dialog']) {
        expect(await page.locator(`${part}:visible`).count()).toBe(0);
      }
      const members = page.locator('#createProduct-200-results');
      await members.locator('summary').click();
      expect(await page.locator('#createProduct-200-results-status').isVisible()).toBe(true);
      const link = page.locator('article:has(#createProduct) .markdown');
      const response = await fetch(origin + ((await link.getAttribute('href')) ?? ''));
      expect(await response.text()).toMatch(/^# Create or push products\n/);
    }));

  it('all samples are shown, with a sensible address', () =>
    onPageWithoutScript(WIDE, async (page) => {
      const panels = page.locator('.panel');
      expect(await page.locator('.panel:visible').count()).toBe(await panels.count());
      expect(await page.locator('.tabs fieldset:visible').count()).toBe(0);
      expect(await page.locator('main').innerText()).toContain(`${DEFAULT_ORIGIN}/api/brand/v1`);
    }));

  it('the menu of a phone opens, and does not cover what its links lead to', () =>
    onPageWithoutScript(PHONE, async (page) => {
      await page.locator('.menu summary').click();
      await page.locator('.menu').getByRole('link', { name: 'Paging' }).click();
      const covering = page.locator('.menu nav');
      const { y = 0, height = 0 } = (await covering.boundingBox()) ?? {};
      const target = (await page.locator('#paging').boundingBox()) ?? { y: -1 };
      expect(target.y).toBeGreaterThanOrEqual(0);
      expect(y + height <= target.y || y > target.y).toBe(true);
    }));
});

it('in print has all samples and no navigation, in dark letters', () =>
  onPage({ ...WIDE, colorScheme: 'dark' }, async (page) => {
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.panel:visible').count()).toBe(await page.locator('.panel').count());
    for (const part of ['header', '.sidebar', '.tabs fieldset', '.copy', '.actions']) {
      expect(await page.locator(`${part}:visible`).count()).toBe(0);
    }
    const colour = await page.evaluate('getComputedStyle(document.body).color');
    expect(colour).toBe('rgb(27, 36, 51)');
  }));
