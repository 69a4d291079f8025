import { readFile } from 'node:fs/promises';
import { SingleBar } from 'cli-progress';
import { Command } from 'commander';
import { BrandApiError, BrandClient } from '../../client/src/index.ts';
import { importProducts } from './import-products.ts';
import type { Remark } from './shopify-export.ts';
import { readShopifyExport } from './shopify-export.ts';

interface Options {
  readonly url: string;
  readonly currency: string;
  readonly dryRun?: boolean;
}

const program = new Command('npm run import --')
  .description(
    "Brings the products of a Shopify export to the brand whose API key is in BRAND_API_KEY. Products that are there already are changed where they differ, and left alone where they don't: it can be stopped and run again.",
  )
  .argument('<file>', 'the export: a CSV file')
  .option('--url <url>', 'where the service is', 'http://localhost:8787')
  .option('--currency <code>', 'the currency of the prices, which the export does not name', 'USD')
  .option('--dry-run', 'only tell what would be done')
  .showHelpAfterError('(add --help for what there is)')
  .action(run);

await program.parseAsync();

async function run(file: string, { url, currency, dryRun = false }: Options): Promise<void> {
  const apiKey = process.env['BRAND_API_KEY'];
  if (apiKey === undefined) {
    fail('The environment variable BRAND_API_KEY is not set.');
    return;
  }
  const stop = new AbortController();
  process.once('SIGINT', () => {
    stop.abort();
  });
  const bar = new SingleBar({
    format: '{bar} {value} of {total} products',
    stream: process.stderr,
    noTTYOutput: false,
  });
  try {
    const { products, skipped, reduced } = readShopifyExport(
      await readFile(file, 'utf8'),
      currency,
    );
    bar.start(products.length, 0);
    const result = await importProducts(new BrandClient({ apiKey, baseUrl: url }), products, {
      dryRun,
      signal: stop.signal,
      onProgress: (count) => {
        bar.increment(count);
      },
    });
    bar.stop();
    tell(skipped, 'skipped');
    tell(result.refused, 'refused by the service');
    tell(reduced, 'taken over in part');
    const { created, changed, unchanged, refused } = result;
    process.stdout.write(
      `${dryRun ? 'Would be: ' : ''}${created} created, ${changed} changed, ${unchanged} unchanged, ${skipped.length + refused.length} skipped.\n`,
    );
    if (stop.signal.aborted) fail('Stopped before the end. Run it again to go on.');
  } catch (error) {
    bar.stop();
    if (!(error instanceof Error)) throw error;
    const requestId = error instanceof BrandApiError ? error.requestId : undefined;
    fail(requestId === undefined ? error.message : `${error.message} (request ${requestId})`);
  }
}

function tell(remarks: readonly Remark[], what: string): void {
  for (const { handle, reason } of remarks)
    process.stdout.write(`${what}: ${handle || '(no handle)'}: ${reason}\n`);
}

function fail(sentence: string): void {
  process.stderr.write(`error: ${sentence}\n`);
  process.exitCode = 1;
}
