import type { Command } from 'commander';
import { Option } from 'commander';
import { parseDuration, parsePrefix } from '../arguments.ts';
import { HasMoved } from '../home.ts';
import type { KeyQuery, KeySummary } from '../key-list.ts';
import { listKeys } from '../key-list.ts';
import type { IssuedKey, KeyOptions } from '../keys.ts';
import { issueKey, revokeKey, rotateBrandKeys, rotateKey } from '../keys.ts';
import type { Shown } from '../output.ts';
import { note } from '../../../common/terminal/note.ts';
import type { Databases } from '../databases.ts';
import type { CommonOptions } from './command.ts';
import { change, command, expiryOption, scopeOption, showDone, showNewKeys } from './command.ts';
import { afterOption, limitOption, showList } from './list.ts';

interface RotateOptions extends CommonOptions, KeyOptions {
  readonly brand?: string;
  readonly overlap: number;
  readonly expiry: boolean;
}

export function addKeyCommands(program: Command, databases: Databases): void {
  const key = program.command('key').description('issue, list, rotate and revoke API keys');

  change(key, 'issue <brandId>', 'issue another API key of a brand (the key is shown only once)')
    .option('--label <text>', 'a name for the key, shown in key list')
    .addOption(scopeOption().default('write'))
    .addOption(expiryOption('it does not expire'))
    .action(async (brandId: string, options: CommonOptions & KeyOptions) => {
      const issue = async (): Promise<IssuedKey> =>
        issueKey(await databases.ofBrand(options, brandId), brandId, options);
      const issued = await issue().catch((error: unknown) => {
        // A move has ended since the brand was found.
        if (error instanceof HasMoved) return issue();
        throw error;
      });
      await showNewKeys(options, issued, [{ ...issued }]);
    });

  command(
    key,
    'list [brandId]',
    'list the API keys of a brand, or of all: which are live, and until when',
  )
    .option('--prefix <characters>', 'only keys that begin with these', parsePrefix)
    .option(
      '--expiring-in <time>',
      'only live keys that expire within this time, such as 30d',
      parseDuration,
    )
    .option('--live', 'only live keys')
    .addOption(limitOption())
    .addOption(afterOption('keyId'))
    .action(async (brandId: string | undefined, options: CommonOptions & KeyQuery) => {
      const all =
        brandId === undefined
          ? await databases.all(options)
          : [await databases.ofBrand(options, brandId)];
      await showList(options, {
        list: (part) => listKeys(all, { ...options, ...part, brandId }),
        name: 'keys',
        head: () => ({ ...(brandId !== undefined && { brandId }) }),
        describe: (summary) => describeKey(summary, brandId === undefined),
        summary: ({ items: { length } }) => `${length} ${length === 1 ? 'key' : 'keys'}.`,
      });
    });

  change(
    key,
    'rotate [keyId]',
    'replace an API key, or all of a brand, with new ones; the old stay valid for a while (new keys are shown only once)',
  )
    .option('--brand <brandId>', 'all live keys of this brand, in one transaction')
    .addOption(
      new Option('--overlap <time>', 'how long the old key stays valid, such as 7d or 0s')
        .argParser(parseDuration)
        .default(parseDuration('24h'), '24h'),
    )
    .addOption(
      new Option('--label <text>', "a name for the new key (default: the old key's)").conflicts(
        'brand',
      ),
    )
    .addOption(scopeOption().conflicts('brand'))
    .addOption(expiryOption('as long as the old key was valid, from now'))
    .addOption(new Option('--no-expiry', 'the new key does not expire').conflicts('expiresIn'))
    .action(async (keyId: string | undefined, options: RotateOptions, rotate: Command) => {
      const { brand, overlap, expiry, ...rest } = options;
      const keyOptions = { ...rest, expiresIn: expiry ? options.expiresIn : null };
      if (keyId !== undefined && brand === undefined) {
        const execute = await databases.ofKey(options, keyId);
        const rotated = await rotateKey(execute, keyId, overlap, keyOptions);
        const { replacedUntil, replacedKeyId: _, label: __, ...made } = rotated;
        await showNewKeys(options, made, [made]);
        note(`The old key is valid until ${replacedUntil}.`);
      } else if (keyId === undefined && brand !== undefined) {
        const execute = await databases.ofBrand(options, brand);
        const { rotated, left } = await rotateBrandKeys(execute, brand, overlap, keyOptions);
        const keys = rotated.map(({ brandId: _, ...key }) => key);
        await showNewKeys(options, { brandId: brand, keys, left }, keys);
        for (const { keyId: id, replacedKeyId, replacedUntil } of left) {
          note(
            `The key ${id} is left: it has replaced ${replacedKeyId}, which is valid until ${replacedUntil}. To rotate it all the same: key rotate ${id}`,
          );
        }
      } else {
        rotate.error('error: Give a keyId, or --brand <brandId> for all keys of a brand.');
      }
    });

  change(key, 'revoke <keyId>', 'revoke an API key: its next request is refused').action(
    async (keyId: string, options: CommonOptions) => {
      await revokeKey(await databases.ofKey(options, keyId), keyId);
      await showDone(options, { revokedKeyId: keyId });
    },
  );
}

/** Returns a row of the table of keys. The first column shows whether the key is live, and until when. */
function describeKey(key: KeySummary, withBrand: boolean): Shown {
  return {
    status: statusOf(key),
    ...(withBrand && { brandId: key.brandId, brandName: key.brandName }),
    keyId: key.keyId,
    prefix: key.prefix,
    label: key.label,
    scope: key.scope,
    createdAt: key.createdAt,
  };
}

function statusOf({ status, expiresAt, revokedAt, suspendedAt, replacedBy }: KeySummary): string {
  if (status === 'revoked') return `revoked ${revokedAt ?? ''}`;
  if (status === 'expired') return `expired ${expiresAt ?? ''}`;
  if (status === 'imported') return 'imported: rotate it';
  if (suspendedAt !== null) return `suspended ${suspendedAt}`;
  if (expiresAt === null) return 'LIVE';
  return `LIVE until ${expiresAt}${replacedBy === null ? '' : ' (rotated)'}`;
}
