import * as z from 'zod';
import { databaseOfKey, newApiKey, newId } from '../../../src/operator.ts';
import { Failure } from '../../../common/failure.ts';
import { noDatabase } from '../home/databases.ts';
import type { OpenDatabase } from '../database/open-database.ts';
import type { KeyFile } from './file.ts';
import { KEYS_PER_CALL, notedKey } from './file.ts';
import type { KeyQuery, KeySummary } from './list.ts';
import { listKeys } from './list.ts';
import type { Rotation } from './rotation.ts';
import { rotateKeys } from './rotation.ts';
import { newKey } from './keys.ts';
import { pagesOf } from '../database/pages.ts';

// Many keys at once, in batches: each new key is on disk before the database has it.

const noted = notedKey.extend({ replacedKeyId: z.string() });

const made = noted.extend({ expiresAt: z.string().nullable(), replacedUntil: z.string() });

/** What the file has of a key. */
export const ROTATED_KEYS = { noted, made };

type NotedKey = z.infer<typeof noted>;
type RotatedKeyFile = KeyFile<NotedKey, z.infer<typeof made>>;

/** Some keys of a database. */
export interface KeysOfDatabase {
  readonly database: OpenDatabase;
  readonly keys: readonly KeySummary[];
}

/**
 * Reads the live keys of a database that have no successor. Without `expiringIn`, those are left out that have just replaced
 * a key which is still valid, or that the file has: so a second run does not rotate what the first one has made.
 * @returns them, and how many were left out
 * @throws Failure if there is no such brand
 */
export async function readKeysToRotate(
  database: OpenDatabase,
  query: Pick<KeyQuery, 'brandId' | 'expiringIn'>,
  { written, begun }: Pick<RotatedKeyFile, 'written' | 'begun'>,
): Promise<KeysOfDatabase & { readonly left: number }> {
  const isNew = new Set([...written, ...begun].map(({ keyId }) => keyId));
  const found: KeySummary[] = [];
  for await (const { items } of pagesOf({}, (part) =>
    listKeys([database], { ...part, ...query }),
  )) {
    for (const key of items) {
      if (key.status === 'live' && key.replacedBy !== null) isNew.add(key.replacedBy);
      else if (key.status === 'live' || key.status === 'imported') found.push(key);
    }
  }
  const keys =
    query.expiringIn === undefined ? found.filter(({ keyId }) => !isNew.has(keyId)) : found;
  return { database, keys, left: found.length - keys.length };
}

/** Keys to rotate into a file. */
interface RotationOrder {
  readonly file: RotatedKeyFile;
  /** All databases: an earlier run may have begun in any. */
  readonly all: readonly OpenDatabase[];
  readonly chosen: readonly KeysOfDatabase[];
  readonly rotation: Rotation;
  /** Called with the number of keys that a call has rotated. */
  readonly onProgress: (count: number) => void;
}

/**
 * Rotates keys in batches, after the batch that an earlier run has begun.
 * @returns how many were rotated, and those that could not be
 * @throws Failure if it breaks off: a further run goes on
 */
export async function rotateIntoFile(
  order: RotationOrder,
): Promise<{ readonly rotated: number; readonly refused: readonly KeysOfDatabase[] }> {
  const { file, chosen } = order;
  const replaced = new Set(await endBegun(order));
  for (const { database, keys } of chosen) {
    const left = keys.filter(({ keyId }) => !replaced.has(keyId));
    for (let first = 0; first < left.length; first += KEYS_PER_CALL) {
      const lines = left
        .slice(first, first + KEYS_PER_CALL)
        .map(({ brandId, brandName, label, keyId: replacedKeyId }): NotedKey => ({
          brandId,
          brandName,
          keyId: newId(),
          label,
          apiKey: newApiKey(database.number),
          replacedKeyId,
        }));
      await file.begin(lines);
      for (const keyId of await rotate(database, lines, order)) replaced.add(keyId);
    }
  }
  const refused = chosen.map(({ database, keys }) => ({
    database,
    keys: keys.filter(({ keyId }) => !replaced.has(keyId)),
  }));
  return { rotated: replaced.size, refused: refused.filter(({ keys }) => keys.length > 0) };
}

/** Rotates what an earlier run has begun, in whose database nobody knows whether it was done. Returns the ids of these keys. */
async function endBegun(order: RotationOrder): Promise<readonly string[]> {
  const { file, all } = order;
  const [begun] = file.begun;
  if (begun === undefined) return [];
  const number = databaseOfKey(begun.apiKey);
  const database = all.find((one) => one.number === number);
  if (database === undefined) throw noDatabase(number, all);
  return rotate(database, file.begun, order);
}

/**
 * Rotates keys in one transaction, and writes what has replaced them.
 * @returns the ids of the keys that were rotated
 * @throws Failure if the database has none of them
 */
async function rotate(
  database: OpenDatabase,
  lines: readonly NotedKey[],
  { file, rotation, onProgress }: RotationOrder,
): Promise<readonly string[]> {
  const replacements = await Promise.all(
    lines.map(async ({ replacedKeyId, apiKey, keyId }) => ({
      replacedKeyId,
      key: await newKey(database, apiKey, keyId),
    })),
  );
  const results = await file.make(() => rotateKeys(database, replacements, rotation));
  if (results.every(({ old }) => old === undefined)) {
    throw new Failure(
      `${file.begunPath} has keys that this database does not know. Run the command with the options of the run before, such as --remote and --env. If their brands were deleted since then, delete that file.`,
    );
  }
  const rotated = lines.flatMap((line, index) => {
    const successor = results[index]?.rotated;
    if (successor === undefined) return [];
    const { expiresAt, replacedUntil } = successor;
    return { ...line, expiresAt, replacedUntil };
  });
  await file.add(rotated);
  onProgress(rotated.length);
  return rotated.map(({ replacedKeyId }) => replacedKeyId);
}
