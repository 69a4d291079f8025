import type { StoreAnswer, StoreRequests } from '../request.ts';
import { objectOf, textOf } from '../json.ts';
import { reasonIn } from './reason.ts';
import type { Credentials } from './settings.ts';
import type { Failure } from '../failure.ts';

/**
 * Returns a token: the lasting one, or one of a day for the credentials of an app (the client credentials grant of OAuth 2,
 * RFC 6749, 4.4).
 * @throws Failure with what to do
 */
export async function accessToken(
  requests: StoreRequests,
  shop: URL,
  credentials: Credentials,
): Promise<string> {
  if ('token' in credentials) return credentials.token;
  const answer = await requests.send({
    method: 'POST',
    url: new URL('/admin/oauth/access_token', shop),
    headers: {
      Accept: 'application/json',
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret,
    }).toString(),
  });
  const token = textOf(objectOf(answer.json)['access_token']);
  if (answer.status !== 200 || token === undefined) throw refusal(answer, requests);
  return token;
}

/** What to do about an error of OAuth, whose name stands in JSON, or in a page of HTML. */
const REFUSALS: Readonly<Record<string, string>> = {
  shop_not_permitted:
    "does not give a token to this app, because the shop and the app belong to different organizations. Create the app in the Dev Dashboard of the shop's own organization, or set SHOPIFY_ACCESS_TOKEN to a token that the app's maker got when it was installed.",
  app_not_installed:
    'does not give a token to this app, because it is not installed in the shop. Open the app in the Dev Dashboard, and install it.',
};

function refusal(answer: StoreAnswer, requests: StoreRequests): Failure {
  const { status, text } = answer;
  const known = Object.entries(REFUSALS).find(([name]) => text.includes(name));
  if (known !== undefined) return requests.failure(known[1]);
  if (status === 400 || status === 401 || status === 403) {
    return requests.failure(
      `does not accept SHOPIFY_CLIENT_ID with SHOPIFY_CLIENT_SECRET (status ${status}). Copy both from the settings of the app in the Dev Dashboard.${reasonIn(answer, requests)}`,
    );
  }
  return shopRefusal(answer, requests) ?? requests.unexpected(answer);
}

/** What a status says about a shop, whatever it is asked; undefined for another status. */
const SHOP_REFUSALS: ReadonlyMap<number, string> = new Map([
  [402, 'is frozen (status 402): its owner has a bill to pay at Shopify.'],
  [404, 'is not there (status 404). Is SHOPIFY_SHOP right?'],
  [423, "is locked (status 423). Its owner can ask Shopify's support why."],
]);

export function shopRefusal({ status }: StoreAnswer, requests: StoreRequests): Failure | undefined {
  const predicate = SHOP_REFUSALS.get(status);
  return predicate === undefined ? undefined : requests.failure(predicate);
}
