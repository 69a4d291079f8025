import { isDeepStrictEqual } from 'node:util';
import { described } from '../answer.ts';
import type { Check } from '../check.ts';
import { BASE, Contract } from '../contract.ts';

/** Checks that the service serves this project's OpenAPI document. */
export const openapi: Check = {
  name: 'OpenAPI document',
  async run({ service, fail, note }) {
    const answer = await service.expect(200, 'GET', '/openapi.json', { key: null });
    const deployed = new Contract(answer.body);
    const operations = deployed.operations();
    note(`${operations.length} operations`);
    const missing = service.contract.operations().filter((name) => !operations.includes(name));
    if (missing.length > 0) fail(`${described(answer)}: without ${missing.join(', ')}`);
    else if (!isDeepStrictEqual(answer.body, service.contract.document)) {
      fail(`${described(answer)}: not the document of this project. Is another version deployed?`);
    }
  },
};

/** Checks the reference page and everything that it loads. */
export const referencePage: Check = {
  name: 'reference page',
  async run({ service, fail }) {
    const page = await service.site('GET', '/docs');
    if (page.status !== 200 || !page.headers.get('Content-Type')?.startsWith('text/html')) {
      throw new Error(`${described(page)}: not a page`);
    }
    for (const name of ['Content-Security-Policy', 'X-Content-Type-Options', 'X-Frame-Options']) {
      if (!page.headers.has(name)) fail(`${described(page)}: the header ${name} is missing`);
    }
    const loaded = [...page.text.matchAll(/\s(?:src|href)="(\/[^"]{0,500})"/g)];
    for (const path of [...new Set(loaded.map(([, path = '']) => path)), `${BASE}/openapi.json`]) {
      const part = await service.site('GET', path);
      if (part.status !== 200 || part.text === '') fail(`${described(part)}: the page needs it`);
    }
  },
};
