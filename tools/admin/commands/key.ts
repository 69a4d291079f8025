import type { Command } from 'commander';
import { Option } from 'commander';
import { parseDuration } from '../duration.ts';
import { describeKeys } from '../key-table.ts';
import type { KeyOptions } from '../keys.ts';
import { issueKey, listKeys, revokeKey, rotateKey } from '../keys.ts';
import { note } from '../output.ts';
import type { CommonOptions, Open } from './command.ts';
import { change, command, expiryOption, scopeOption, show, showNewKey } from './command.ts';

/** Adds `key issue`, `key list`, `key rotate` and `key revoke`. */
export function addKeyCommands(program: Command, open: Open): void {
  const key = program.command('key').description('issue, list, rotate and revoke API keys');

  change(key, 'issue <brandId>', 'issue another API key of a brand (the key is shown only once)')
    .option('--label <text>', 'a name for the key, shown in key list')
    .addOption(scopeOption().default('write'))
    .addOption(expiryOption())
    .action(async (brandId: string, options: CommonOptions & KeyOptions) => {
      showNewKey(options, { ...(await issueKey(open(options), brandId, options)) });
    });

  command(
    key,
    'list <brandId>',
    'list the API keys of a brand: which are live, and until when',
  ).action(async (brandId: string, options: CommonOptions) => {
    const keys = await listKeys(open(options), brandId);
    show(options, { brandId, keys }, describeKeys(keys));
    const live = keys.filter(({ status }) => status === 'live').length;
    note(`${live} of ${keys.length} keys ${live === 1 ? 'is' : 'are'} live.`);
  });

  change(
    key,
    'rotate <keyId>',
    'replace an API key with a new one; the old key stays valid for a while (the new key is shown only once)',
  )
    .addOption(
      new Option('--overlap <time>', 'how long the old key stays valid, such as 7d or 0s')
        .argParser(parseDuration)
        .default(parseDuration('24h'), '24h'),
    )
    .option('--label <text>', "a name for the new key (default: the old key's)")
    .addOption(scopeOption())
    .addOption(expiryOption())
    .action(async (keyId: string, options: CommonOptions & KeyOptions & { overlap: number }) => {
      const { replacedUntil, ...made } = await rotateKey(
        open(options),
        keyId,
        options.overlap,
        options,
      );
      showNewKey(options, made);
      note(`The old key is valid until ${replacedUntil}.`);
    });

  change(key, 'revoke <keyId>', 'revoke an API key: its next request is refused').action(
    async (keyId: string, options: CommonOptions) => {
      await revokeKey(open(options), keyId);
      show(options, { revokedKeyId: keyId }, [{ revokedKeyId: keyId }]);
    },
  );
}
