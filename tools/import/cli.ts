import { readFile } from 'node:fs/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { BrandApiError, BrandClient } from '../../client/src/index.ts';
import { currencyCode } from '../../src/fields/text.ts';
import { refuseOptionsKeptByNpm } from '../npm-options.ts';
import { progressBar } from '../../client/src/command/terminal/progress-bar.ts';
import { reasonOf } from '../../client/src/command/terminal/reason.ts';
import { apiKeyFor, originOf } from '../service-options.ts';
import { onInterruption } from '../../client/src/command/terminal/interruption.ts';
import {
  harmlessErrors,
  printable,
  withoutKeys,
} from '../../client/src/command/terminal/printable.ts';
import { importProducts } from './import-products.ts';
import { jsonReport, skippedSentence, textReport } from './report.ts';
import { decodeExport } from './export-table.ts';
import type { ImportMatch } from './shopify-export.ts';
import { MATCHES, readShopifyExport } from './shopify-export.ts';
import type { ReadOptions } from './store-product.ts';
import { VARIANT_CHOICES } from './store-product.ts';

interface Options extends Pick<ReadOptions, 'variants' | 'decimalComma'> {
  readonly url: string;
  readonly currency: string;
  readonly match: ImportMatch;
  readonly prune?: boolean;
  readonly pruneLimit: number;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const program = new Command('npm run import --')
  .description(
    'Imports the products of a Shopify product export into the brand whose API key is in BRAND_API_KEY. New products are created, and products that differ are updated. Each variant becomes a product, because a product has one price and one SKU; the compare-at price is left out. You can stop it and run it again. The exit status is 1 if a product was skipped.',
  )
  .argument('<file>', 'the export, a CSV file')
  .option('--url <url>', 'the address of the service', originOf, 'http://localhost:8787')
  .option('--currency <code>', 'the currency of the prices', currency, 'USD')
  .option('--decimal-comma', 'prices are written 1.299,00')
  .addOption(
    new Option('--variants <which>', 'the variants to import; `first` adds up their inventory')
      .choices(VARIANT_CHOICES)
      .default('all'),
  )
  .addOption(
    new Option('--match <field>', 'the field that identifies a product')
      .choices(MATCHES)
      .default('handle'),
  )
  .option(
    '--prune',
    'delete the products with the source SHOPIFY that are not in the file; refused if the file has no products. Run one such import at a time: two at once, of different files, can delete all products',
  )
  .option(
    '--prune-limit <percent>',
    'refuse to delete more than this share of those products',
    percent,
    50,
  )
  .option('--dry-run', 'report what would be done, and change nothing')
  .option('--json', 'print one JSON document and nothing else on standard output')
  .configureOutput(harmlessErrors)
  .showHelpAfterError('(use --help to see the options)')
  .action(run);

refuseOptionsKeptByNpm(program, 'import');
await program.parseAsync();

async function run(path: string, options: Options): Promise<void> {
  const { url, match, pruneLimit, prune = false, dryRun = false, json } = options;
  const apiKey = apiKeyFor(program);
  const stop = new AbortController();
  onInterruption(() => {
    stop.abort();
  });
  const bar = progressBar('products');
  try {
    const text = decodeExport(await readFile(path));
    const file = readShopifyExport(text, { ...options, currencyCode: options.currency });
    bar.start(file.products.length, 0);
    const result = await importProducts(new BrandClient({ apiKey, baseUrl: url }), file, {
      match,
      dryRun,
      pruneLimit: prune ? pruneLimit : undefined,
      signal: stop.signal,
      onProgress: (done, total) => {
        bar.setTotal(total);
        bar.update(done);
      },
    });
    bar.stop();
    const { interruption } = result;
    const error = interruption ? sentenceOf(interruption, url) : skippedSentence(result);
    const report = json ? jsonReport : textReport;
    process.stdout.write(report({ file, result, dryRun, prune, error }));
    if (error !== undefined) fail(error);
  } catch (error) {
    bar.stop();
    if (!(error instanceof Error)) throw error;
    fail(sentenceOf(error, url));
  }
}

/** A failure as the operator reads it: with the request that failed, or the address that could not be reached. */
function sentenceOf(error: Error, url: string): string {
  if (!(error instanceof BrandApiError)) return error.message;
  if (error.requestId !== undefined) return `${error.message} (request ${error.requestId})`;
  return error.status === undefined
    ? `${error.message} (${url}: ${reasonOf(error.cause)})`
    : error.message;
}

function currency(text: string): string {
  const code = currencyCode().safeParse(text).data;
  if (code === undefined) throw new InvalidArgumentError('Expected a currency code such as EUR.');
  return code;
}

function percent(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 100)) {
    throw new InvalidArgumentError('Expected a number from 0 to 100.');
  }
  return value;
}

function fail(sentence: string): void {
  process.stderr.write(`error: ${printable(withoutKeys(sentence))}\n`);
  process.exitCode = 1;
}
