import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, it } from 'vitest';
import { BrandClient } from '../../src/index.ts';
import { newApiKey } from '../../../src/auth/api-key.ts';
import { commandOf } from './commanded.ts';
import { all } from '../outcomes.ts';
import type { TakenBrand } from '../../../test/node/pool.ts';
import { takeBrand } from '../../../test/node/pool.ts';
import { record, records } from '../../../test/node/processes.ts';

let brand: TakenBrand;
let client: BrandClient;
let command: ReturnType<typeof commandOf>;

beforeAll(async () => {
  brand = await takeBrand();
  client = new BrandClient(brand);
  command = commandOf(brand);
  await client.products.createMany(
    Array.from({ length: 300 }, (_, index) => ({
      sku: `S-${index}`,
      title: `Rope "${index}", = long`,
      description: 'two\nlines',
      priceCents: index,
      syncStatus: index % 2 === 0 ? 'PENDING' : 'FAILED',
      ...(index < 2 && { source: 'SHOP' }),
      imageUrls: ['https://example.com/a,b.png'],
    })),
  );
  await client.couponCodes.create({ code: 'TEN', discountPercent: 10 });
});

const KEY = newApiKey();
const here = { BRAND_API_URL: '' };

it.each([
  [['whoami'], { BRAND_API_KEY: '' }, 2, /Set the environment variable BRAND_API_KEY/],
  [['whoami'], { BRAND_API_KEY: KEY.slice(1) }, 2, /BRAND_API_KEY is not an API key/],
  [['whoami'], here, 2, /Set the environment variable BRAND_API_URL/],
  [['whoami', '--url', 'api.example.com'], {}, 2, /begins with https:/],
  [['whoami', '--url', 'localhost:8787'], {}, 2, /begins with https:/],
  [['whoami', '--url', 'https://me:pw@api.example.com'], {}, 2, /no user, query/],
  [['whoami', '--url', 'https://api.example.com/?a=1'], {}, 2, /no user, query/],
  [['whoami', '--key', KEY], {}, 2, /Set the environment variable BRAND_API_KEY/],
  [['whoami', `--api-key=${KEY}`], {}, 2, /Set the environment variable BRAND_API_KEY/],
  [['whoami', KEY], {}, 2, /Set the environment variable BRAND_API_KEY/],
  [['whoami', '--jsn'], {}, 2, /unknown option '--jsn'/],
  [['who'], {}, 2, /unknown command 'who'/],
  [['list', 'more'], {}, 2, /too many arguments/],
  [['list', '--format', 'xml'], {}, 2, /Allowed choices are ndjson, json, csv/],
  [['list', '--collection', 'brands'], {}, 2, /Allowed choices are products, coupon-codes/],
  [['list', '--where', 'sku'], {}, 2, /Write FIELD=VALUE/],
  [['list', '--where', 'title=X'], {}, 2, /--where title: .* filters are id, handle, sku, /],
  [['list', '--where', 'syncStatus=X'], {}, 2, /Invalid request: syncStatus: /],
  [['follow', '--state', '--reset'], {}, 2, /--state has no value, because --reset is an option/],
  [['follow', '--state', '--help'], {}, 2, /--state has no value/],
  [['follow', '--state', '-h'], {}, 2, /--state has no value.* write --state=-h\./],
  [['follow', '--exec', '--state', 'x'], {}, 2, /--exec has no value/],
  [['follow', '--state', '--', 'x'], {}, 2, /--state has no value/],
  [['sync', '-', '--match', '--delete'], {}, 2, /--match has no value/],
  [['sync', '-', '--max-delete', '--match=sku'], {}, 2, /--max-delete has no value/],
  [['read', '--from', '--collection', 'products'], {}, 2, /--from has no value/],
  [['whoami'], { BRAND_API_KEY: KEY }, 1, /Invalid API key\. \(request [\w-]+\)/],
  [['whoami', '--url', 'http://127.0.0.1:4'], {}, 1, /did not answer.*ECONN.* 127\.0\.0\.1:4/],
] as const)(
  'A mistake ends the command with one sentence, without a stack and without the key: %j with %j',
  async (words, env, expected, sentence) => {
    const { code, stdout, stderr } = await command(words, { env });
    expect(stderr).toMatch(sentence);
    expect([code, stdout]).toEqual([expected, '']);
    expect(stderr).toMatch(/^error: [^\n]+\n(?:\([^\n]+\)\n)*$/);
    expect(stderr).not.toContain(KEY.slice(8));
  },
);

it("A server's answer ends the command with one sentence, whatever it says", async () => {
  const stop = `\u001B[2J\u202E ${KEY}`;
  const fetch = (): Promise<Response> =>
    Promise.resolve(Response.json({ error: stop }, { status: 403 }));
  const { code, stderr } = await command(['whoami'], { fetch });
  expect([code, stderr]).toEqual([1, 'error: \\u{1b}[2J\\u{202e} bik_…\n']);
});

it.each([[[]], [['--json']]])(
  '`whoami` prints no key and no secret that a server sends back: %j',
  async (words) => {
    const env = { WOOCOMMERCE_SECRET: 'cs_&12345', SHOPIFY_ACCESS_TOKEN: 'shpat_12345' };
    const brandName = `${newApiKey()} cs_&12345 cs_%2612345 shpat_12345 Toys`;
    const profile = { brand: { brandName }, connection: {} };
    const { code, stdout } = await command(['whoami', ...words], {
      env,
      fetch: () => Promise.resolve(Response.json(profile)),
    });
    expect([code, stdout]).toEqual([0, expect.stringContaining('bik_… … … … Toys')]);
  },
);

it('`whoami` prints the brand and its connection', async () => {
  await client.profile.update({ connection: { storeDomain: 'shop.example.com' } });
  const { data } = await client.profile.get();
  const { code, stdout, stderr } = await command(['whoami']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.split('\n')).toEqual([
    `Brand: ${data.brand.brandName}`,
    `Service: ${brand.baseUrl}`,
    'Store: shop.example.com',
    'Connection: DISCONNECTED, sync disabled',
    'Last sync of products: never',
    'Last sync of coupon codes: never',
    '',
  ]);
  const json = await command(['whoami', '--json']);
  expect(JSON.parse(json.stdout)).toEqual(data);
});

it.each(['/', '//', '/api/brand/v1', '/api/brand/v1/', '/api/brand/v1//'])(
  '`whoami` takes an address with any end: %s',
  async (end) => {
    const { code, stdout } = await command(['whoami', '--url', brand.baseUrl + end]);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`Service: ${brand.baseUrl}\n`)]);
  },
);

it.each([
  [['whoami'], ''],
  [['sync', '-', '--match', 'sku', '--record'], 'could not be recorded in the connection: '],
] as const)(
  'An answer without a connection is not of the service, which the command says: %j',
  async (words, before) => {
    const profile = { products: [], brand: { brandName: 'B' } };
    const { code, stderr } = await command(words, {
      stdin: '[]',
      fetch: () => Promise.resolve(Response.json(profile)),
    });
    const sentence = `${before}The response has no connection. Is the address of the service right?`;
    expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)]);
    expect(stderr).not.toContain('undefined');
  },
);

const endless = new Blob(Array.from({ length: 40 }, () => ' '.repeat(2 ** 20)));

it.each<[string, BodyInit, RegExp, number?]>([
  ['has no end', endless, /^error: The service did not answer\. [^\n]* too large\.[^\n]*\n$/],
  ['is a refusal without an end', endless, /^error: [^\n]*status 402[^\n]*\n$/, 402],
  [
    'is nested too deep',
    `{"brand":{"brandName":${'['.repeat(200_000)}${']'.repeat(200_000)}},"connection":{}}`,
    /^error: [^\n]+\n$/,
  ],
])(
  'An answer that is not of the service ends `whoami` with an error: it %s',
  async (_, body, sentence, status = 200) => {
    const fetch = (): Promise<Response> => Promise.resolve(new Response(body, { status }));
    const { code, stdout, stderr } = await command(['whoami'], { fetch });
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(sentence)]);
  },
);

it('`list` prints all resources, one JSON object a line', async () => {
  const { code, stdout, stderr } = await command(['list']);
  expect([code, stderr]).toEqual([0, '']);
  const printed = stdout
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  expect(printed).toEqual(await all(client.products.list()));
});

it.each([
  [['--where', 'sku=S-7'], 1],
  [['--where', 'syncStatus=PENDING', '--where', 'sku=S-7'], 0],
  [['--where', 'syncStatus=PENDING'], 150],
  [['--where', 'source=SHOP'], 2],
] as const)('`list` prints those that have a value: %j', async (words, count) => {
  const { code, stdout } = await command(['list', '--format', 'json', ...words]);
  expect(code).toBe(0);
  expect(records(record(JSON.parse(stdout))['products'])).toHaveLength(count);
});

it('`list` prints coupon codes', async () => {
  const { stdout } = await command(['list', '--collection', 'coupon-codes', '--where', 'code=ten']);
  expect(JSON.parse(stdout)).toMatchObject({ code: 'TEN' });
});

/** Runs the command as a program. */
function program(...words: readonly string[]): ChildProcessWithoutNullStreams {
  const env = { ...process.env, BRAND_API_KEY: brand.apiKey, BRAND_API_URL: brand.baseUrl };
  return spawn('client/bin/brand-integration.js', words, { env });
}

it('A reader that closes the pipe ends the command quietly', async () => {
  const child = program('list');
  child.stdout.destroy();
  const exited = once(child, 'exit');
  const said = await text(child.stderr);
  expect([await exited, said]).toEqual([[0, null], '']);
});

it('A signal ends the command while standard input is open', async () => {
  const child = program('sync', '-', '--match', 'sku');
  // More than a pipe holds, so that the command is reading.
  await new Promise((resolve) => child.stdin.write(' '.repeat(1e6), resolve));
  child.kill('SIGINT');
  const exited = once(child, 'exit');
  const printed = [await text(child.stdout), await text(child.stderr)];
  expect([await exited, printed]).toEqual([
    [1, null],
    ['', 'error: Stopped before the end.\n'],
  ]);
});
