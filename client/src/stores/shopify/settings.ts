import { UsageError } from '../../../../common/failure.ts';
import { isLoopback } from '../store-requests.ts';
import type { Environment, Variable } from '../store.ts';
import { keyVariable } from '../store.ts';

export interface ShopifySettings {
  /** Such as `https://name.myshopify.com/`. */
  readonly shop: URL;
  /** A lasting token, or what an app gets a token of a day for. */
  readonly credentials:
    { readonly token: string } | { readonly clientId: string; readonly clientSecret: string };
}

const EXAMPLE = 'such as name.myshopify.com';

export const VARIABLES = [
  { name: 'SHOPIFY_SHOP', isSecret: false, help: `the name of the shop, ${EXAMPLE}` },
  { name: 'SHOPIFY_ACCESS_TOKEN', isSecret: true, help: 'a lasting token' },
  { name: 'SHOPIFY_CLIENT_ID', isSecret: false, help: 'in place of a token: the ID of an app' },
  { name: 'SHOPIFY_CLIENT_SECRET', isSecret: true, help: 'the secret of the app' },
] as const satisfies readonly Variable[];

/** @throws UsageError, without any value of the environment that is secret */
export function settingsIn(env: Environment): ShopifySettings {
  const shop = shopOf(env['SHOPIFY_SHOP']?.trim() ?? '');
  const token = keyVariable(env, 'SHOPIFY_ACCESS_TOKEN');
  const clientId = keyVariable(env, 'SHOPIFY_CLIENT_ID');
  const clientSecret = keyVariable(env, 'SHOPIFY_CLIENT_SECRET');
  const isApp = clientId !== '' && clientSecret !== '';
  if (token === '' && isApp) return { shop, credentials: { clientId, clientSecret } };
  if (token !== '' && clientId + clientSecret === '') return { shop, credentials: { token } };
  throw new UsageError(
    'Set SHOPIFY_ACCESS_TOKEN to a lasting token, or SHOPIFY_CLIENT_ID and SHOPIFY_CLIENT_SECRET to those of an app of the Dev Dashboard, and not all of them.',
  );
}

function shopOf(text: string): URL {
  if (text === '') {
    throw new UsageError(
      `Which shop? Set the environment variable SHOPIFY_SHOP to its name, ${EXAMPLE}.`,
    );
  }
  const address = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url !== undefined && isLoopback(url.hostname)) return new URL(`http://${url.host}/`);
  if (url !== undefined && /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/.test(url.hostname)) {
    return new URL(`https://${url.hostname}/`);
  }
  throw new UsageError(
    `SHOPIFY_SHOP is the shop's own name, ${EXAMPLE}, and not the domain that its customers see. The admin shows it under Settings > Domains.`,
  );
}
