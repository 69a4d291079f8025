import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrandClient } from '../../client/src/index.ts';
import type { FaultProxy } from './fault-proxy.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { all } from './outcomes.ts';
import { runScriptWith, scriptWords, temporaryFolder } from './processes.ts';
import type { SharedServer } from './shared-server.ts';
import { shareServer } from './shared-server.ts';
import { expectedProducts, writeCsv } from './store-export.ts';

const COUNT = 600;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: SharedServer;
let client: BrandClient;
let proxy: FaultProxy;
let args: readonly string[];

/** Products with all that makes an export hard to read. Every fourth has two variants. */
const rows = Array.from({ length: COUNT / 1.25 }, (_, index) => {
  const handle = `product-${index}`;
  const image = (name: string): string => `https://example.com/${index}/${name}.jpg?a=1,2`;
  const first = {
    Handle: handle,
    // Decomposed, as some systems write it.
    Title: `Cre\u0300me "No. ${index}", 12" 🧴`,
    // Long enough for several requests.
    'Body (HTML)': `<p class="a">One, "two"\r\nand\n\n3 &amp; ${index}</p>\r\n<ul>\r\n<li>12"</li></ul>${'ü'.repeat(10_000)}`,
    Published: index % 3 === 0 ? 'false' : 'true',
    'Variant SKU': index % 2 === 0 ? `SKU-${index}` : '',
    'Variant Inventory Qty': index - 5,
    'Variant Price': (index / 100 + 0.07).toFixed(2),
    'Image Src': image('second'),
    'Image Position': 2,
  };
  const variant = {
    Handle: handle,
    'Option1 Value': 'Large',
    'Variant SKU': `OTHER-${index}`,
    'Variant Inventory Qty': 3,
    'Variant Price': '999',
  };
  const picture = { Handle: handle, 'Image Src': image('first'), 'Image Position': 1 };
  return index % 4 === 0 ? [{ ...first, 'Option1 Value': 'Small' }, variant, picture] : [first];
}).flat();
const csv = writeCsv(rows);

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await shareServer();
  const baseUrl = `http://127.0.0.1:${server.port}`;
  client = new BrandClient({ apiKey: server.apiKey, baseUrl });
  const file = join(folder.path, 'large.csv');
  await writeFile(file, csv);
  proxy = await startFaultProxy(baseUrl);
  args = [file, '--url', proxy.url];
});

afterAll(async () => {
  proxy.stop();
  await server.stop();
  await folder.remove();
});

/** How many products there are. */
async function count(): Promise<number> {
  return (await all(client.products.list())).length;
}

/**
 * Starts the import, and sends it a signal while one of its requests is on the way; gives the exit status and what it
 * wrote.
 * @param request the number of that request, from 1
 */
async function interrupt(
  signal: 'SIGKILL' | 'SIGINT' | 'SIGTERM' | 'SIGHUP',
  request: number,
): Promise<{ code: number | null; output: string }> {
  const env = { ...process.env, BRAND_API_KEY: server.apiKey };
  const [command, ...first] = scriptWords('import');
  const child = spawn(command, [...first, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  const closed = once(child, 'close');
  // The service may still be at work on it when the import has ended.
  const served = Promise.withResolvers<undefined>();
  let arrived = 0;
  let returned = 0;
  proxy.fault = {
    request: async () => {
      arrived++;
      if (arrived !== request) return undefined;
      child.kill(signal);
      // The import handles the signal while it waits for the response.
      await setTimeout(300);
      return undefined;
    },
    response: () => {
      returned++;
      if (returned === request) served.resolve(undefined);
    },
  };
  await Promise.all([closed, served.promise]);
  proxy.fault = {};
  return { code: child.exitCode, output };
}

describe('An import of 600 products', () => {
  it('that is killed twice leaves complete products, each once', async () => {
    const expected = expectedProducts(csv);
    expect(expected).toHaveLength(COUNT);
    for (const [request, atLeast] of [
      [2, 1],
      [3, 150],
    ] as const) {
      await interrupt('SIGKILL', request);
      const products = await all(client.products.list());
      expect(products.length).toBeGreaterThanOrEqual(atLeast);
      expect(products.length).toBeLessThan(COUNT);
      expect(products).toMatchObject(expected.slice(0, products.length));
    }
  });

  it.each([
    ['SIGINT', 3],
    ['SIGTERM', 4],
    ['SIGHUP', 5],
  ] as const)('that is interrupted by %s reports what it did', async (signal, request) => {
    const before = await count();
    const { code, output } = await interrupt(signal, request);
    expect(code).toBe(1);
    expect(output).toContain('error: Stopped before the end. Run it again to continue.\n');
    const after = await count();
    expect(output).toContain(`${after - before} created, 0 changed, `);
    expect(after).toBeLessThan(COUNT);
  });

  it('is completed by running it again: nothing twice, nothing missing', async () => {
    const before = await count();
    const ended = await runScriptWith({ BRAND_API_KEY: server.apiKey }, 'import', ...args);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(ended.stdout).toContain(
      `${COUNT - before} created, 0 changed, ${before} unchanged, 0 skipped.\n`,
    );
    const products = await all(client.products.list());
    expect(products).toMatchObject(expectedProducts(csv));
    expect(new Set(products.map(({ handle }) => handle)).size).toBe(COUNT);
  });

  it('is unchanged when it is imported again', async () => {
    const before = await all(client.products.list());
    const { stdout } = await runScriptWith({ BRAND_API_KEY: server.apiKey }, 'import', ...args);
    expect(stdout).toContain(`0 created, 0 changed, ${COUNT} unchanged, 0 skipped.\n`);
    expect(await all(client.products.list())).toEqual(before);
  });
});
