import type { Command } from 'commander';
import { counted } from '../../../common/counted.ts';
import { parseDuration, parseHash, parsePrefix } from '../arguments.ts';
import { HasMoved } from '../home/home.ts';
import type { KeySummary } from '../key/list.ts';
import { listKeys } from '../key/list.ts';
import type { IssuedKey } from '../key/keys.ts';
import { issueKey, revokeKey } from '../key/keys.ts';
import type { ShownRecord } from './output.ts';
import type { Databases } from '../home/databases.ts';
import { change, command, expiryOption, scopeOption, showDone, showNewKeys } from './command.ts';
import { addKeyRotateCommand } from './key-rotate.ts';
import { afterOption, limitOption, showList } from './list.ts';

export function addKeyCommands(program: Command, databases: Databases): void {
  const key = program.command('key').description('issue, list, rotate and revoke API keys');

  change(key, 'issue <brandId>', 'issue another API key of a brand (the key is shown only once)')
    .option('--label <text>', 'a name for the key, shown in key list')
    .addOption(scopeOption().default('write'))
    .addOption(expiryOption('it does not expire'))
    .action(async (brandId, options) => {
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
    .option('--hash <keyHash>', 'only the key that the log names so', parseHash)
    .option(
      '--expiring-in <time>',
      'only live keys without a successor that expire within this time, such as 30d, and have a third of their lifetime left at most',
      parseDuration,
    )
    .option('--live', 'only live keys')
    .addOption(limitOption())
    .addOption(afterOption('keyId'))
    .action(async (brandId, options) => {
      const all =
        brandId === undefined
          ? await databases.all(options)
          : [await databases.ofBrand(options, brandId)];
      await showList(options, {
        list: (part) => listKeys(all, { ...options, ...part, brandId }),
        name: 'keys',
        head: () => ({ ...(brandId !== undefined && { brandId }) }),
        describe: (summary) => describeKey(summary, brandId === undefined),
        summary: ({ items: { length } }) => `${counted(length, 'key')}.`,
      });
    });

  addKeyRotateCommand(key, databases);

  change(key, 'revoke <keyId>', 'revoke an API key: its next request is refused').action(
    async (keyId, options) => {
      await revokeKey(await databases.ofKey(options, keyId), keyId);
      await showDone(options, { revokedKeyId: keyId });
    },
  );
}

/** Returns a row of the table of keys. The first column shows whether the key is live, and until when. */
function describeKey(key: KeySummary, withBrand: boolean): ShownRecord {
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
