import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { RequestEvent } from '../src/index.ts';
import { BrandClient } from '../src/index.ts';
import { takeBrand } from '../../test/node/pool.ts';
import { commandOf } from './command/commanded.ts';
import { connectNowhere } from './connected.ts';
import { all, failure } from './outcomes.ts';

it('The option onRequest is called after each try, and shows no key', async () => {
  const { apiKey, baseUrl } = await takeBrand();
  const events: RequestEvent[] = [];
  const { products } = new BrandClient({
    apiKey,
    baseUrl,
    onRequest: (event) => events.push(event),
  });
  await products.createMany([1, 2, 3].map((priceCents) => ({ title: 'T', priceCents })));
  expect(await all(products.list({ sku: ['A', 'B'] }, { limit: 2 }))).toEqual([]);
  expect(await all(products.list({}, { limit: 2 }))).toHaveLength(3);
  const path = '/api/brand/v1/products';
  expect(
    events.map((event) => [event.method, event.path.replace(/cursor=.+/, '…'), event.status]),
  ).toEqual([
    ['POST', path, 201],
    ['GET', `${path}?sku=A&sku=B&limit=2`, 200],
    ['GET', `${path}?limit=2`, 200],
    ['GET', expect.stringMatching(/limit=2&…|…/), 200],
  ]);
  for (const { time } of events) expect(time).toBeGreaterThan(0);
  expect(JSON.stringify(events)).not.toContain(apiKey);
});

it('The option onRequest learns of a request without a response, and ends the call if it throws', async () => {
  const events: unknown[] = [];
  const onRequest = (event: RequestEvent): unknown => events.push(event.status);
  const { client } = connectNowhere({ tries: 2, onRequest }, 'never arrives', 'never arrives');
  await failure(client.profile.get());
  expect(events).toEqual([undefined, undefined]);
  const enough = new Error('Enough.');
  const thrower = connectNowhere({
    onRequest: () => {
      throw enough;
    },
  });
  await expect(thrower.client.profile.get()).rejects.toBe(enough);
  expect(thrower.network.sent).toHaveLength(1);
});

it('The option --debug prints each request to the service on standard error', async () => {
  const brand = await takeBrand();
  const { code, stderr } = await commandOf(brand)(['sync', '-', '--match', 'sku', '--debug'], {
    stdin: '[{"sku":"A","title":"A","priceCents":1}]',
  });
  expect(code).toBe(0);
  expect(stderr.split('\n')).toEqual([
    expect.stringMatching(/^GET \/api\/brand\/v1\/products: 200 in \d+ ms$/),
    expect.stringMatching(
      /^POST \/api\/brand\/v1\/products\?match=sku&dryRun=false: 200 in \d+ ms/,
    ),
    '',
  ]);
});

it('The words of errors are those of the reference', async () => {
  const [reference, source] = await Promise.all(
    ['docs/reference.md', 'client/src/error.ts'].map((path) => readFile(path, 'utf8')),
  );
  const listed = [...(reference ?? '').matchAll(/^\| \d{3} +\| `([a-z-]+)`/gm)].map(
    ([, word]) => word,
  );
  const typed = [...(source ?? '').matchAll(/^ {2}\| '([a-z-]+)'/gm)].map(([, word]) => word);
  expect(typed).toEqual([...new Set(listed)].sort());
});

it('An empty key says that it is empty', async () => {
  const options = { apiKey: ' ', baseUrl: 'https://api.example' };
  expect(() => new BrandClient(options)).toThrow('Expected apiKey to be an API key: it is empty.');
  const { code, stderr } = await commandOf({ apiKey: ' ', baseUrl: 'https://api.example' })([
    'whoami',
  ]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('to your API key. It is empty.')]);
});
