import type { Environment, Variable } from '../store.ts';
import { listOf } from '../../../../common/list-of.ts';
import { isLoopback } from '../store-requests.ts';
import { UsageError } from '../../../../common/failure.ts';
import { keyVariable } from '../store.ts';

export interface WooCommerceSettings {
  /** The address of the shop, without a slash at its end: `https://shop.example/shop`. */
  readonly address: string;
  readonly key: string;
  readonly secret: string;
}

const EXAMPLE = 'the address of the shop, such as https://shop.example';

export const VARIABLES = [
  { name: 'WOOCOMMERCE_URL', isSecret: false, help: EXAMPLE },
  { name: 'WOOCOMMERCE_KEY', isSecret: true, help: 'a key of its REST API, such as ck_…' },
  { name: 'WOOCOMMERCE_SECRET', isSecret: true, help: 'the secret of the key, such as cs_…' },
] as const satisfies readonly Variable[];

/** Reads the environment. @throws UsageError if something is not set, or cannot be used */
export function settingsIn(env: Environment): WooCommerceSettings {
  const url = env['WOOCOMMERCE_URL']?.trim() ?? '';
  const key = keyVariable(env, 'WOOCOMMERCE_KEY');
  const secret = keyVariable(env, 'WOOCOMMERCE_SECRET');
  const unset = VARIABLES.filter((_, index) => [url, key, secret][index] === '');
  if (unset.length > 0) {
    const names = unset.map(({ name }) => name);
    const list = listOf(names, 'conjunction');
    const is = unset.length === 1 ? 'is' : 'are';
    throw new UsageError(
      `${list} ${is} not set. WOOCOMMERCE_URL is ${EXAMPLE}; WooCommerce shows the key and the secret once, when you create them under Settings, Advanced, REST API.`,
    );
  }
  if (key.startsWith('cs_') || secret.startsWith('ck_')) {
    throw new UsageError(
      'WOOCOMMERCE_KEY begins with ck_, and WOOCOMMERCE_SECRET with cs_. They are swapped.',
    );
  }
  return { address: addressOf(url), key, secret };
}

/** @throws UsageError if it is no address, or one whose requests others can read */
function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (!url || !isWeb || url.username !== '' || url.password !== '') {
    throw new UsageError(`WOOCOMMERCE_URL is not ${EXAMPLE}: it begins with https://.`);
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new UsageError(
      `Over plain HTTP, others can read the key. Set WOOCOMMERCE_URL to ${shopAddress(new URL(`https://${url.host}${url.pathname}`))}.`,
    );
  }
  return shopAddress(url);
}

/** Returns the address of a shop without what belongs to its API. */
export function shopAddress({ origin, pathname }: URL): string {
  const parts = pathname.split('/');
  const end = parts.findIndex((part) => part === 'index.php' || part === 'wp-json');
  const shop = (end < 0 ? parts : parts.slice(0, end)).join('/');
  return origin + (shop.endsWith('/') ? shop.slice(0, -1) : shop);
}
