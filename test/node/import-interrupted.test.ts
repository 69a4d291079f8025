import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FaultProxy } from './fault-proxy.ts';
import { NO_FAULT, startFaultProxy } from './fault-proxy.ts';
import { useImporter } from './importer.ts';
import type { Finished } from './processes.ts';
import { runScriptWith, scriptWords } from './processes.ts';
import { expectedProducts, writeCsv } from './store-export.ts';

const COUNT = 400;

const { brand, productsOf, file } = useImporter();
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
  proxy = await startFaultProxy(brand().baseUrl);
  args = [await file('large.csv', csv), '--url', proxy.url];
});

afterAll(() => {
  proxy.stop();
});

const imported = (): ReturnType<typeof productsOf> => productsOf(brand().apiKey);

/** Starts the import, and stops it while its second request is on the way. Returns what it wrote. */
async function interrupt(): Promise<Finished> {
  const env = { ...process.env, BRAND_API_KEY: brand().apiKey };
  const [command, ...first] = scriptWords('import');
  const child = spawn(command, [...first, ...args], { env });
  // The service may still be at work on it when the import has ended.
  const served = Promise.withResolvers<undefined>();
  let arrived = 0;
  proxy.fault = async (request, pass) => {
    if (++arrived !== 2) return pass(request);
    child.kill('SIGTERM');
    // The import handles the signal while it waits for the response.
    await setTimeout(300);
    return pass(request).finally(() => {
      served.resolve(undefined);
    });
  };
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  await Promise.all([once(child, 'close'), served.promise]);
  const [stdout, stderr] = await output;
  proxy.fault = NO_FAULT;
  return { code: child.exitCode, stdout, stderr };
}

describe('An import of 400 products', () => {
  it('that is interrupted reports what it did', async () => {
    const { code, stdout, stderr } = await interrupt();
    const stopped = 'error: Stopped before the end. Run it again to continue.\n';
    expect([code, stderr]).toEqual([1, stopped]);
    const products = await imported();
    expect(products.length).toBeGreaterThan(50);
    expect(products.length).toBeLessThan(COUNT);
    expect(products).toMatchObject(expectedProducts(csv).slice(0, products.length));
    expect(stdout).toContain(`${products.length} created, 0 changed, `);
  });

  it('is completed by running it again: nothing twice, nothing missing', async () => {
    const before = (await imported()).length;
    const key = { BRAND_API_KEY: brand().apiKey };
    const { stdout, stderr } = await runScriptWith(key, 'import', ...args);
    expect(stderr).toBe('');
    expect(stdout).toContain(
      `${COUNT - before} created, 0 changed, ${before} unchanged, 0 skipped.\n`,
    );
    const products = await imported();
    expect(products).toMatchObject(expectedProducts(csv));
    expect(new Set(products.map(({ handle }) => handle)).size).toBe(COUNT);
  });
});
