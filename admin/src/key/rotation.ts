import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { apiKeys, brands, keyIsLiveAt, databaseTime } from '../../../src/operator.ts';
import { Failure } from '../../../common/failure.ts';
import { newAct, noteAct } from '../audit.ts';
import type { OpenDatabase } from '../database/open-database.ts';
import { mayChange, notChanged, whyUnchanged } from '../home/home.ts';
import type { IssuedKey, KeyOptions, NewKey } from './keys.ts';
import { fromNow, insertInto, issuedKey, keyIsUsable, newKey, ofKey } from './keys.ts';
import { isWhole } from '../home/unfinished.ts';
import { checkedId, checkedText } from '../validation.ts';

/** A new key that replaces another. */
interface RotatedKey extends IssuedKey {
  readonly label: string;
  readonly replacedKeyId: string;
  /** Until when the old key stays valid. */
  readonly replacedUntil: string;
}

/** How keys are rotated. */
export interface Rotation extends Pick<KeyOptions, 'label' | 'scope' | 'expiresIn'> {
  /** How long the old key stays valid, in seconds, so that its clients can switch. */
  readonly overlap: number;
}

/** A key that is to replace another one. */
export interface Replacement {
  readonly replacedKeyId: string;
  readonly key: NewKey;
}

/**
 * Issues a key that replaces another.
 * @throws Failure if there is no such live key, or if it was rotated already
 */
export async function rotateKey(
  database: OpenDatabase,
  keyId: string,
  rotation: Rotation,
): Promise<RotatedKey> {
  const replacement = { replacedKeyId: checkedId('key', keyId), key: await newKey(database) };
  const [{ rotated, old } = {}] = await rotateKeys(database, [replacement], rotation);
  if (rotated !== undefined) return rotated;
  const reason = old && (await whyUnchanged(database, old.brand_id));
  if (reason !== undefined) throw reason;
  const successor = old?.replaced_by ?? null;
  throw new Failure(
    successor === null
      ? `There is no live key ${keyId}.`
      : `The key ${keyId} was rotated already. Its successor is ${successor}.`,
  );
}

/** A key that a rotation of the whole brand leaves, because it has just replaced another one. */
interface LeftKey {
  readonly keyId: string;
  readonly replacedKeyId: string;
  /** Until when that one is valid. */
  readonly replacedUntil: string;
}

/**
 * Rotates all live keys of a brand in one transaction, except those that were rotated already, and their successors while
 * both are valid: so a second run does not rotate what the first one has made. Each new key has the label and the scope
 * of the old one.
 * @throws Failure if there is no such brand, or if it has no live key, or too many
 */
export async function rotateBrandKeys(
  database: OpenDatabase,
  brandId: string,
  rotation: Rotation,
): Promise<{ readonly rotated: readonly RotatedKey[]; readonly left: readonly LeftKey[] }> {
  const [[brand], live, left] = await database.run(
    sql`select ${brands.id} from ${brands} where ${brands.id} = ${checkedId('brand', brandId)} and ${mayChange(sql`${brands.id}`)} and ${isWhole(sql`${brands.id}`)}`,
    sql<{
      id: string;
    }>`select ${apiKeys.id} from ${apiKeys} where ${apiKeys.brandId} = ${brandId} and ${isRotatable} order by ${apiKeys.id}`,
    sql<LeftKey>`select made.id as "keyId", ${apiKeys.id} as "replacedKeyId", ${apiKeys.expiresAt} as "replacedUntil"
      from ${apiKeys} join ${apiKeys} as made on made.id = ${apiKeys.replacedBy}
      where ${apiKeys.brandId} = ${brandId} and made.brand_id = ${brandId} and ${keyIsUsable} order by made.id`,
  );
  if (brand === undefined) throw await notChanged(database, brandId);
  const isLeft = new Set(left.map(({ keyId }) => keyId));
  const keys = live.filter(({ id }) => !isLeft.has(id));
  if (keys.length > MAX_ROTATED) {
    throw new Failure(
      `The brand ${brandId} has ${keys.length} live keys, and at most ${MAX_ROTATED} are rotated at once. Rotate them into a file: --keys-to <file>`,
    );
  }
  const replacements = await Promise.all(
    keys.map(async ({ id }) => ({ replacedKeyId: id, key: await newKey(database) })),
  );
  const results = keys.length === 0 ? [] : await rotateKeys(database, replacements, rotation);
  const rotated = results.flatMap((result) => result.rotated ?? []);
  if (rotated.length === 0 && left.length === 0)
    throw new Failure(`The brand ${brandId} has no live key to rotate.`);
  return { rotated, left };
}

/** How many keys are rotated at once: the statements of one have 4 KB, and those of all are one transaction. */
const MAX_ROTATED = 250;

/** SQL condition: the key is live, and has no successor. */
const needsSuccessor = sql`${keyIsLiveAt(databaseTime)} and ${apiKeys.replacedBy} is null`;

/** SQL condition: the brand of the key is here, whole, and is not being moved. */
const brandIsFree = sql`${mayChange(sql`${apiKeys.brandId}`)} and ${isWhole(sql`${apiKeys.brandId}`)}`;

const isRotatable = sql`${needsSuccessor} and ${brandIsFree}`;

/** A key that was to be replaced, with its successor; without one of this rotation, `hash` is null. */
const replacedKey = z.object({
  id: z.string(),
  brand_id: z.string(),
  replaced_by: z.nullable(z.string()),
  replaced_until: z.string(),
  hash: z.nullable(z.string()),
  expires_at: z.nullable(z.string()),
  label: z.string(),
});

/** What became of a key that was to be replaced. */
interface RotationResult {
  /** What has replaced it; undefined if it could not be rotated. */
  readonly rotated?: RotatedKey;
  /** Its row; undefined if there is none. */
  readonly old?: z.infer<typeof replacedKey>;
}

/**
 * Rotates those of some keys that can be rotated, in one transaction. With the same replacements it can be called again: it
 * returns what the first call has rotated.
 */
export async function rotateKeys(
  database: OpenDatabase,
  replacements: readonly Replacement[],
  { overlap, label, scope, expiresIn }: Rotation,
): Promise<readonly RotationResult[]> {
  const newLabel = label === undefined ? apiKeys.label : checkedText('label', label);
  const expiry = expiresIn === undefined ? sameLifetime : fromNow(expiresIn);
  const changes = replacements.flatMap(({ replacedKeyId, key }) => [
    sql`${insertInto(key)} ${apiKeys.brandId}, ${newLabel}, ${scope ?? apiKeys.scope}, ${databaseTime}, ${expiry}, (select ${brands.suspendedAt} from ${brands} where ${brands.id} = ${apiKeys.brandId})
      from ${apiKeys} where ${apiKeys.id} = ${replacedKeyId} and ${isRotatable} on conflict do nothing`,
    // The insert alone decides: the old key could expire before this statement.
    sql`update ${apiKeys} set replaced_by = ${key.id}, expires_at = min(coalesce(${apiKeys.expiresAt}, '9999'), ${fromNow(overlap)})
      where ${apiKeys.id} = ${replacedKeyId} and ${apiKeys.replacedBy} is null
        and exists (select 1 from ${apiKeys} as successor where successor.hash = ${key.hash})`,
    // The same entry if the call is made again.
    noteAct({ ...newAct(database, 'key.rotate'), id: key.id }, ofKey(key, { replacedKeyId })),
  ]);
  const hashes = sql.join(
    replacements.map(({ key }) => sql`${key.hash}`),
    sql`, `,
  );
  const results = await database.run(
    ...changes,
    sql`select old.id, old.brand_id, coalesce(old.expires_at, '') as replaced_until, old.replaced_by, made.hash, made.expires_at, coalesce(made.label, '') as label
      from ${apiKeys} as old left join ${apiKeys} as made on made.id = old.replaced_by and made.hash in (${hashes})
      where old.id in ${replacements.map(({ replacedKeyId }) => replacedKeyId)}`,
  );
  const rows = z.array(replacedKey).parse(results.at(-1));
  return replacements.map(({ replacedKeyId, key }) => {
    const old = rows.find(({ id }) => id === replacedKeyId);
    if (old === undefined) return {};
    if (old.hash !== key.hash) return { old };
    const { replaced_until: replacedUntil, label } = old;
    return { rotated: { ...issuedKey(key, old), replacedKeyId, replacedUntil, label }, old };
  });
}

/** The expiry of a key that is valid for as long as the row's was when it was issued; null if that does not expire. */
const sameLifetime = sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now',
  (unixepoch(${apiKeys.expiresAt}, 'subsec') - unixepoch(${apiKeys.createdAt}, 'subsec')) || ' seconds')`;
