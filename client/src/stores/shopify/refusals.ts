import { isJsonObject, objectOf, textOf } from '../json.ts';
import type { StoreAnswer, StoreRequests } from '../request.ts';

/** What a refusal means and what to do: by its status, the code of an error of GraphQL, or the name of one of OAuth. */
export const REFUSALS: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [400, 'refuses the request (status 400).'],
  [402, 'is frozen (status 402): its owner has a bill to pay at Shopify.'],
  [
    403,
    'forbids this app to ask (status 403). Is the app still installed, and does its version have the scopes read_products and read_discounts?',
  ],
  [404, 'is not there (status 404). Is SHOPIFY_SHOP right?'],
  [423, "is locked (status 423). Its owner can ask Shopify's support why."],
  ['THROTTLED', 'is asked too often, also by other apps. Run the command again later.'],
  [
    'ACCESS_DENIED',
    'does not let this app read everything. Give it the scopes read_products and read_discounts.',
  ],
  ['SHOP_INACTIVE', 'is not active. Its owner can open it again.'],
  [
    'shop_not_permitted',
    "does not give a token to this app, because the shop and the app belong to different organizations. Create the app in the Dev Dashboard of the shop's own organization, or set SHOPIFY_ACCESS_TOKEN to a token that the app's maker got when it was installed.",
  ],
  [
    'app_not_installed',
    'does not give a token to this app, because it is not installed in the shop. Open the app in the Dev Dashboard, and install it.',
  ],
]);

/** The longest reason that is shown, in UTF-16 units. */
export const LONGEST_REASON = 300;

/** What an error of OAuth says on a page of HTML. */
const ON_PAGE = /Oauth error ([^<>]{1,300})/i;

/**
 * Returns what Shopify says about a refusal, as a sentence; empty if it says nothing. Its `errors` are a text, a list of texts or
 * of objects with a message, or an object of such lists.
 */
export function reasonIn({ json, text }: StoreAnswer, requests: StoreRequests): string {
  const { errors, error, error_description: description } = objectOf(json);
  const texts = [errors, error, description].flatMap(textsIn).join(' ');
  const said = texts || (ON_PAGE.exec(text)?.[1] ?? '');
  return said.trim() === '' ? '' : ` It says: "${requests.excerpt(said, LONGEST_REASON)}"`;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isJsonObject(value)) return [];
  const message = textOf(value['message']);
  return message === undefined ? Object.values(value).flatMap(textsIn) : [message];
}
