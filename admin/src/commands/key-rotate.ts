import type { Command } from 'commander';
import { Option } from 'commander';
import { counted } from '../../../common/counted.ts';
import { note } from '../../../common/terminal/note.ts';
import { ProgressBar } from '../../../common/terminal/progress-bar.ts';
import { Failure } from '../../../common/failure.ts';
import { parseDuration } from '../arguments.ts';
import type { Databases } from '../home/databases.ts';
import { whyUnchanged } from '../home/home.ts';
import { KeyFile } from '../key/file.ts';
import type { Rotation } from '../key/rotation.ts';
import { rotateBrandKeys, rotateKey } from '../key/rotation.ts';
import type { KeyOptions } from '../key/keys.ts';
import { onDatabases } from '../database/on-databases.ts';
import type { KeysOfDatabase } from '../key/rotate-into-file.ts';
import { readKeysToRotate, ROTATED_KEYS, rotateIntoFile } from '../key/rotate-into-file.ts';
import type { CommonOptions } from './command.ts';
import { change, databaseOf, expiryOption, scopeOption, show, showNewKeys } from './command.ts';
import { explainInterruption } from './interruption.ts';
import { confirm } from './confirm.ts';

interface RotateOptions extends CommonOptions, KeyOptions {
  readonly brand?: string;
  readonly expiringIn?: number;
  readonly all?: true;
  readonly yes?: true;
  readonly overlap: number;
  readonly expiry: boolean;
}

/** The options that name several keys, of which each has its own label and scope. */
const SEVERAL = ['brand', 'expiringIn', 'all'];

export function addKeyRotateCommand(key: Command, databases: Databases): void {
  change(
    key,
    'rotate [keyId]',
    'replace one or more API keys with new ones; the old stay valid for a while (new keys are shown only once)',
  )
    .option('--brand <brandId>', 'all live keys of this brand')
    .addOption(
      new Option(
        '--expiring-in <time>',
        'all keys that key list --expiring-in shows; needs --keys-to',
      ).argParser(parseDuration),
    )
    .option('--all', 'all live keys of all brands; needs --keys-to')
    .option(
      '--keys-to <file>',
      'a file for the new keys, as NDJSON, that only you can read; again, to go on',
    )
    .option('--yes', 'with --all: do not ask')
    .addOption(
      new Option('--overlap <time>', 'how long the old key stays valid, such as 7d or 0s')
        .argParser(parseDuration)
        .default(parseDuration('24h'), '24h'),
    )
    .addOption(
      new Option('--label <text>', "a name for the new key (default: the old key's)").conflicts(
        SEVERAL,
      ),
    )
    .addOption(scopeOption().conflicts(SEVERAL))
    .addOption(expiryOption('as long as the old key was valid, from now'))
    .addOption(new Option('--no-expiry', 'the new key does not expire').conflicts('expiresIn'))
    .action(async (keyId, options, rotate) => {
      const { brand, expiringIn, all, keysTo } = options;
      const chosen = [keyId, brand, expiringIn, all].filter((one) => one !== undefined);
      if (chosen.length !== 1) {
        rotate.error(
          'error: Give one of: a keyId, --brand <brandId>, --expiring-in <time>, --all.',
        );
      }
      if (keyId !== undefined) {
        if (keysTo !== undefined) rotate.error('error: --keys-to is for several keys.');
        await rotateOne(databases, keyId, options);
      } else if (keysTo !== undefined) {
        await rotateToFile(databases, { ...options, keysTo });
      } else if (brand !== undefined) {
        await rotateBrand(databases, brand, options);
      } else {
        rotate.error('error: Give --keys-to <file>, a file for the new keys.');
      }
    });
}

function rotationOf({ overlap, expiry, label, scope, expiresIn }: RotateOptions): Rotation {
  return { overlap, label, scope, expiresIn: expiry ? expiresIn : null };
}

async function rotateOne(
  databases: Databases,
  keyId: string,
  options: RotateOptions,
): Promise<void> {
  const database = await databases.ofKey(options, keyId);
  const rotated = await rotateKey(database, keyId, rotationOf(options));
  const { brandId, keyId: newKeyId, apiKey, expiresAt, replacedUntil } = rotated;
  const shown = { brandId, keyId: newKeyId, apiKey, expiresAt };
  await showNewKeys(options, shown, [shown]);
  note(`The old key is valid until ${replacedUntil}.`);
}

async function rotateBrand(
  databases: Databases,
  brandId: string,
  options: RotateOptions,
): Promise<void> {
  const database = await databases.ofBrand(options, brandId);
  const { rotated, left } = await rotateBrandKeys(database, brandId, rotationOf(options));
  const keys = rotated.map(({ brandId: _, ...key }) => key);
  await showNewKeys(options, { brandId, keys, left }, keys);
  for (const { keyId, replacedKeyId, replacedUntil } of left) {
    note(
      `The key ${keyId} is left: it has replaced ${replacedKeyId}, which is valid until ${replacedUntil}. To rotate it all the same: key rotate ${keyId}`,
    );
  }
}

/** @throws Failure if a key could not be rotated */
async function rotateToFile(
  databases: Databases,
  options: RotateOptions & { readonly keysTo: string },
): Promise<void> {
  const { brand: brandId, expiringIn, keysTo } = options;
  const query = { brandId, expiringIn };
  const file = await KeyFile.open(keysTo, ROTATED_KEYS);
  const bar = new ProgressBar('keys');
  try {
    const all = await databases.all(options);
    const asked = brandId === undefined ? all : [await databases.ofBrand(options, brandId)];
    const chosen = await onDatabases(asked, (database) => readKeysToRotate(database, query, file));
    if (options.all && !options.yes) await confirmAll(chosen, databases, options);
    explainInterruption(() => {
      bar.stop();
      return file.howToGoOn;
    });
    const total = numberOfKeys(chosen);
    let done = 0;
    bar.show(done, total);
    const { rotated, refused } = await rotateIntoFile({
      file,
      all,
      chosen,
      rotation: rotationOf(options),
      onProgress: (count) => {
        bar.show((done += count), total);
      },
    });
    bar.stop();
    const found = file.written.length;
    const left = chosen.reduce((sum, one) => sum + one.left, 0);
    const refusedKeys = refused.flatMap(({ keys }) =>
      keys.map(({ keyId, brandId: of }) => ({ keyId, brandId: of })),
    );
    await show(options, { rotated, found, left, refused: refusedKeys, file: keysTo }, [
      { rotated, found, left, refused: refusedKeys.length, file: keysTo },
    ]);
    if (left > 0) {
      note(`${counted(left, 'key is', 'keys are')} left: each has just replaced another.`);
    }
    if (rotated + found > 0) {
      note(
        'Only you can read the file with the keys. Send each to its brand, then delete the file.',
      );
    }
    const [first] = refused;
    if (first !== undefined) throw await refusal(first, refusedKeys.length);
  } finally {
    bar.stop();
    await file.close();
  }
}

function numberOfKeys(chosen: readonly KeysOfDatabase[]): number {
  return chosen.reduce((sum, { keys }) => sum + keys.length, 0);
}

/** @throws Failure unless the operator confirms it */
async function confirmAll(
  chosen: readonly KeysOfDatabase[],
  databases: Databases,
  options: RotateOptions,
): Promise<void> {
  const brands = new Set(chosen.flatMap(({ keys }) => keys.map(({ brandId }) => brandId)));
  const until = new Date(Date.now() + options.overlap * 1000).toISOString();
  await confirm({
    text: `This replaces all live keys (${numberOfKeys(chosen)}) of ${brands.size} brands in ${databaseOf(options, databases)}: the old ones are valid until ${until}. Type the number of keys to continue: `,
    answer: String(numberOfKeys(chosen)),
    withoutTerminal: 'Without a terminal, --all requires --yes.',
    notDone: 'Nothing was rotated.',
  });
}

/** Returns the error for keys that could not be rotated. */
async function refusal(
  { database, keys: [key] }: KeysOfDatabase,
  refused: number,
): Promise<Failure> {
  const reason = key && (await whyUnchanged(database, key.brandId));
  return new Failure(
    `${counted(refused, 'key was', 'keys were')} not rotated. ${reason?.message ?? 'Somebody else has changed them meanwhile: see key list.'}`,
  );
}
