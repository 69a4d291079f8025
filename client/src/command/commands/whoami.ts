import type { Profile } from '../../index.ts';
import type { ServiceFlags } from '../service/connection.ts';
import { connect, readProfile } from '../service/connection.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../../../../common/failure.ts';
import { write } from '../terminal/output.ts';
import { printable, printableJson } from '../../../../common/terminal/printable.ts';

export async function whoami(
  context: CommandContext,
  options: ServiceFlags & { readonly json?: true },
): Promise<number> {
  const { client, url } = connect(context, options);
  const { data } = await readProfile(client);
  const hide = (text: string): string => context.secrets.hide(text);
  const text = options.json ? `${printableJson(data, hide, 2)}\n` : profileText(data, url, hide);
  await write(context.stdout, text);
  return EXIT.done;
}

function profileText(
  { brand, connection }: Profile,
  url: string,
  hide: (text: string) => string,
): string {
  const { storeDomain, status, syncEnabled, lastSyncError } = connection;
  const { lastProductsSyncAt, lastDiscountsSyncAt } = connection;
  const rows = [
    ['Brand', brand.brandName],
    ['Service', url],
    ['Store', storeDomain ?? 'none'],
    ['Connection', `${status}, sync ${syncEnabled ? 'enabled' : 'disabled'}`],
    ['Last sync of products', lastProductsSyncAt ?? 'never'],
    ['Last sync of coupon codes', lastDiscountsSyncAt ?? 'never'],
    ...(lastSyncError === null ? [] : [['Last error', lastSyncError]]),
  ];
  return rows.map((row) => `${printable(hide(row.join(': ')))}\n`).join('');
}
