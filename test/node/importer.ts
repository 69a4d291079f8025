import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import type { ClientOptions, Product } from '../../client/src/index.ts';
import { BrandClient } from '../../client/src/index.ts';
import type { Export } from '../../tools/import/shopify-export.ts';
import { readShopifyExport } from '../../tools/import/shopify-export.ts';
import type { ReadOptions } from '../../tools/import/store-product.ts';
import { all } from './outcomes.ts';
import type { TakenBrand } from './pool.ts';
import { takeBrand } from './pool.ts';
import type { Finished, TemporaryFolder } from './processes.ts';
import { runScriptWith, temporaryFolder } from './processes.ts';

/** The import tool of a test file, a running service to import into, and a folder for the files. */
export interface Importer {
  readonly brand: () => TakenBrand;
  readonly client: (apiKey: string, fetch?: ClientOptions['fetch']) => BrandClient;
  readonly productsOf: (apiKey: string) => Promise<Product[]>;
  /** Runs the import to its end. */
  readonly run: (apiKey: string, file: string, ...flags: readonly string[]) => Promise<Finished>;
  /** The line that an import which went well ends with. */
  readonly summary: (
    apiKey: string,
    file: string,
    ...flags: readonly string[]
  ) => Promise<string | undefined>;
  /** Writes a file for an import and gives its path. */
  readonly file: (name: string, text: string) => Promise<string>;
}

/** Reads an export with the options that the tool has by default. */
export function read(csv: string, options: Partial<ReadOptions> = {}): Export {
  return readShopifyExport(csv, { currencyCode: 'USD', variants: 'all', ...options });
}

/** Starts what the tests of a file need before the first of them, and stops it after the last. */
export function useImporter(): Importer {
  let folder: TemporaryFolder;
  let brand: TakenBrand;

  beforeAll(async () => {
    folder = await temporaryFolder();
    brand = await takeBrand();
  });

  afterAll(() => folder.remove());

  const client: Importer['client'] = (apiKey, fetch) =>
    new BrandClient({ apiKey, baseUrl: brand.baseUrl, ...(fetch && { fetch }) });
  const run: Importer['run'] = (apiKey, file, ...flags) =>
    runScriptWith({ BRAND_API_KEY: apiKey }, 'import', file, '--url', brand.baseUrl, ...flags);

  return {
    brand: () => brand,
    client,
    productsOf: (apiKey) => all(client(apiKey).products.list()),
    run,
    summary: async (...args) => {
      const { code, stdout, stderr } = await run(...args);
      expect([code, stderr], stdout).toEqual([0, '']);
      return stdout.trimEnd().split('\n').at(-1);
    },
    file: async (name, text) => {
      const path = join(folder.path, name);
      await writeFile(path, text);
      return path;
    },
  };
}
