import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FaultProxy } from './fault-proxy.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { useImporter } from './importer.ts';
import { runScriptWith, scriptWords } from './processes.ts';
import { expectedProducts, writeCsv } from './store-export.ts';

const COUNT = 400;

const { server, baseUrl, productsOf, file } = useImporter();
let proxy: FaultProxy;
let args: readonly string[];

/** Products whose descriptions are so long that there are several requests. Every fourth has two variants. */
const rows = Array.from({ length: COUNT / 1.25 }, (_, index) => {
  const handle = { Handle: `product-${index}`, 'Variant Inventory Qty': index - 5 };
  const first = {
    ...{ ...handle, Title: `Cre\u0300me "No. ${index}", 12" 🧴`, Published: 'true' },
    ...{ 'Body (HTML)': `<p>\r\n${'ü'.repeat(10_000)}</p>`, 'Variant Price': '9.07' },
  };
  const variant = { ...handle, 'Option1 Value': 'Large', 'Variant Price': '999' };
  return index % 4 === 0 ? [{ ...first, 'Option1 Value': 'Small' }, variant] : [first];
}).flat();
const csv = writeCsv(rows);

beforeAll(async () => {
  proxy = await startFaultProxy(baseUrl());
  args = [await file('large.csv', csv), '--url', proxy.url];
});

afterAll(() => {
  proxy.stop();
});

/**
 * Starts the import, and sends it a signal while one of its requests is on the way; gives the exit status and what it
 * wrote.
 * @param request the number of that request, from 1
 */
async function interrupt(
  signal: 'SIGKILL' | 'SIGTERM',
  request: number,
): Promise<{ code: number | null; output: string }> {
  const env = { ...process.env, BRAND_API_KEY: server().apiKey };
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

describe('An import of 400 products', () => {
  it('that is killed leaves complete products, each once', async () => {
    await interrupt('SIGKILL', 2);
    const products = await productsOf(server().apiKey);
    expect(products.length).toBeGreaterThan(50);
    expect(products.length).toBeLessThan(COUNT);
    expect(products).toMatchObject(expectedProducts(csv).slice(0, products.length));
  });

  it('that is interrupted reports what it did', async () => {
    const before = (await productsOf(server().apiKey)).length;
    const { code, output } = await interrupt('SIGTERM', 2);
    expect(code).toBe(1);
    expect(output).toContain('error: Stopped before the end. Run it again to continue.\n');
    const after = (await productsOf(server().apiKey)).length;
    expect(output).toContain(`${after - before} created, 0 changed, `);
    expect(after).toBeLessThan(COUNT);
  });

  it('is completed by running it again: nothing twice, nothing missing', async () => {
    const before = (await productsOf(server().apiKey)).length;
    const key = { BRAND_API_KEY: server().apiKey };
    const { stdout, stderr } = await runScriptWith(key, 'import', ...args);
    expect(stderr).toBe('');
    expect(stdout).toContain(
      `${COUNT - before} created, 0 changed, ${before} unchanged, 0 skipped.\n`,
    );
    const products = await productsOf(server().apiKey);
    expect(products).toMatchObject(expectedProducts(csv));
    expect(new Set(products.map(({ handle }) => handle)).size).toBe(COUNT);
  });
});
