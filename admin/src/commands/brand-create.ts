import type { Command } from 'commander';
import * as z from 'zod';
import { ProgressBar } from '../../../common/terminal/progress-bar.ts';
import { note } from '../../../common/terminal/note.ts';
import { Failure } from '../../../common/failure.ts';
import { databaseOfKey, newId, newApiKey } from '../../../src/operator.ts';
import { createBrand, createBrands, namesakesIn } from '../brand/brands.ts';
import type { Databases } from '../home/databases.ts';
import { KeyFile, KEYS_PER_CALL, notedKey } from '../key/file.ts';
import type { KeyOptions } from '../key/keys.ts';
import type { NewBrand } from '../brand/new-brands-file.ts';
import { readNewBrands } from '../brand/new-brands-file.ts';
import { onDatabases } from '../database/on-databases.ts';
import { checkedText } from '../validation.ts';
import type { CommonOptions } from './command.ts';
import {
  change,
  databaseOption,
  expiryOption,
  scopeOption,
  showDone,
  showNewKeys,
} from './command.ts';
import { explainInterruption } from './interruption.ts';

interface BrandCreateOptions
  extends CommonOptions, Pick<KeyOptions, 'label' | 'scope' | 'expiresIn'> {
  readonly database?: number;
}

export function addBrandCreateCommand(brand: Command, databases: Databases): void {
  change(
    brand,
    'create [name]',
    'create a brand and its first API key (the key is shown only once), or all brands of a file',
  )
    .option('--label <text>', 'a name for the key, shown in key list')
    .addOption(scopeOption().default('write'))
    .addOption(expiryOption('it does not expire'))
    .option('--from <file>', 'create all brands of a file: a name a line, or NDJSON')
    .option(
      '--keys-to <file>',
      'with --from: a new file for the keys, as NDJSON, that only you can read; again, to go on',
    )
    .addOption(databaseOption(databases, 'the database for it (default: the smallest)'))
    .action(async (name, options, create) => {
      const { from, keysTo } = options;
      if (name !== undefined && from === undefined && keysTo === undefined) {
        await createOne(databases, name, options);
      } else if (name === undefined && from !== undefined && keysTo !== undefined) {
        await createAll(databases, { ...options, from, keysTo });
      } else {
        create.error('error: Give a name, or --from <file> and --keys-to <file>.');
      }
    });
}

async function createOne(
  databases: Databases,
  name: string,
  options: BrandCreateOptions,
): Promise<void> {
  const database = await databases.forNewBrand(options, options.database);
  const created = await createBrand(database, name, options);
  const { expiresAt, namesakes, ...made } = created;
  await showNewKeys(options, made, [made]);
  if (expiresAt !== null) note(`The key is valid until ${expiresAt}.`);
  const others = await databases.others(options, database);
  const further = await onDatabases(others, (other) => namesakesIn(other, created));
  const all = [...namesakes, ...further.flat()];
  if (all.length > 0) note(`Another brand has this name: ${all.join(', ')}.`);
}

type NotedBrand = z.infer<typeof notedKey>;

/** What the file of keys has of a brand. */
const form = {
  noted: notedKey,
  made: notedKey.extend({ expiresAt: z.string().nullable() }),
};

/** Creates the brands of a file, behind those whose keys an earlier run has written. */
async function createAll(
  databases: Databases,
  options: BrandCreateOptions & { readonly from: string; readonly keysTo: string },
): Promise<void> {
  const { from, keysTo } = options;
  const brands = await readNewBrands(from, options);
  const keys = await KeyFile.open(keysTo, form);
  const bar = new ProgressBar('brands');
  try {
    const known = [...keys.written, ...keys.begun];
    const other = known.findIndex(({ brandName }, index) => brandName !== brands[index]?.brandName);
    if (other >= 0) {
      throw new Failure(
        `${other < keys.written.length ? keysTo : keys.begunPath} has a key of ${JSON.stringify(known[other]?.brandName)} where ${from} has another brand. Choose another file for the keys.`,
      );
    }
    const [begun] = keys.begun;
    const number = begun === undefined ? options.database : databaseOfKey(begun.apiKey);
    const database = await databases.forNewBrand(options, number);
    explainInterruption(() => {
      bar.stop();
      return keys.howToGoOn;
    });
    let done = keys.written.length;
    bar.show(done, brands.length);
    const create = async (lines: readonly NotedBrand[], first: number): Promise<void> => {
      const toCreate = lines.map((line, index) => ({
        ...keyOptions(brands[first + index]),
        ...line,
      }));
      const created = await keys.make(() => createBrands(database, toCreate));
      await keys.add(
        lines.map((line, index) => ({ ...line, expiresAt: created[index]?.expiresAt ?? null })),
      );
      bar.show((done += lines.length), brands.length);
    };
    if (keys.begun.length > 0) await create(keys.begun, keys.written.length);
    for (let first = known.length; first < brands.length; first += KEYS_PER_CALL) {
      const lines = brands.slice(first, first + KEYS_PER_CALL).map(({ brandName, label = '' }) => ({
        brandId: newId(),
        brandName,
        keyId: newId(),
        label: checkedText('label', label),
        apiKey: newApiKey(database.number),
      }));
      await keys.begin(lines);
      await create(lines, first);
    }
  } finally {
    bar.stop();
    await keys.close();
  }
  const found = keys.written.length;
  await showDone(options, { created: brands.length - found, found, file: keysTo });
  note('Only you can read the file with the keys. Send each to its brand, then delete the file.');
}

function keyOptions({ scope, expiresIn }: Partial<NewBrand> = {}): Partial<NewBrand> {
  return { scope, expiresIn };
}
