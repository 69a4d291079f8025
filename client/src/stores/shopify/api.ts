import type { RequestContext, StoreAnswer } from '../store-requests.ts';
import { StoreRequests } from '../store-requests.ts';
import type { JsonObject } from '../json-values.ts';
import { isJsonObject, objectOf, objectsOf, textOf } from '../json-values.ts';
import { API_VERSION } from './queries.ts';
import type { ShopifySettings } from './settings.ts';
import type { Failure } from '../../../../common/failure.ts';
import { isKey } from '../store.ts';
import type { Secrets } from '../secrets.ts';

const LASTING_TOKEN =
  'the token in SHOPIFY_ACCESS_TOKEN. It may be revoked, expired, or of another shop: copy it again, or set SHOPIFY_CLIENT_ID and SHOPIFY_CLIENT_SECRET in its place';
const TOKEN_OF_A_DAY = 'the token that it gave for SHOPIFY_CLIENT_ID. Run the command again';

/** Shopify's own status for a Security Rejection. */
const REJECTED = 430;

/** What a refusal means and what to do: by its status, the code of an error of GraphQL, or the name of one of OAuth. */
const REFUSALS: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [400, 'refuses the request (status 400).'],
  [402, 'is frozen (status 402): its owner has a bill to pay at Shopify.'],
  [
    403,
    'forbids this app to ask (status 403). Is the app still installed, and does its version have the scopes read_products and read_discounts?',
  ],
  [404, 'is not there (status 404). Is SHOPIFY_SHOP right?'],
  [
    REJECTED,
    'refuses requests from this address for now (status 430, Security Rejection), as it does in bursts to addresses that several share. Run the command again later.',
  ],
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
const LONGEST_REASON = 300;

/** What an error of OAuth says on a page of HTML. */
const ON_PAGE = /Oauth error ([^<>]+)/i;

/** Asks one shop. What it throws is a sentence about what to do, without a token or a secret. */
export class AdminApi {
  readonly #settings: ShopifySettings;
  readonly #requests: StoreRequests;
  /** What the settings have, and the tokens that the shop gave. */
  readonly #secrets: Secrets;
  #token: string | undefined;
  /** Says that the version of the API is retired, if it is. */
  versionNote: string | undefined;

  constructor(settings: ShopifySettings, context: RequestContext) {
    const { credentials } = settings;
    this.#settings = settings;
    this.#secrets = context.secrets;
    this.#secrets.add('token' in credentials ? credentials.token : credentials.clientSecret);
    this.#requests = new StoreRequests({
      ...context,
      name: `The shop ${settings.shop.host}`,
      secrets: this.#secrets,
      onRedirect: ({ hostname }) =>
        hostname.endsWith('.myshopify.com')
          ? `Its own name is ${hostname}: set SHOPIFY_SHOP to it.`
          : 'Set SHOPIFY_SHOP to its own name, which ends in .myshopify.com.',
      // 403 is a refusal that is known.
      onDenied: (answer) =>
        `does not accept ${'token' in credentials ? LASTING_TOKEN : TOKEN_OF_A_DAY} (status 401).${reasonIn(answer, this.#requests)}`,
      judge,
      pauseOf: untilRestored,
    });
  }

  /**
   * Returns the `data` of a query.
   * @throws Failure if there is none
   */
  async query(query: string, variables: JsonObject = {}): Promise<JsonObject> {
    return (await this.measuredQuery(query, variables)).data;
  }

  /** The same, with the memory that it takes. */
  async measuredQuery(
    query: string,
    variables: JsonObject,
  ): Promise<{ readonly data: JsonObject; readonly bytes: number }> {
    let answer = await this.#send(query, variables);
    // The token of a day has expired during the run.
    if (answer.status === 401 && 'clientId' in this.#settings.credentials) {
      this.#token = undefined;
      answer = await this.#send(query, variables);
    }
    const version = answer.headers.get('X-Shopify-API-Version') ?? API_VERSION;
    if (version !== API_VERSION) {
      this.versionNote = `Shopify no longer serves the version ${API_VERSION} of its API, and answered in ${version}: ask for a newer brand-integration-client.`;
    }
    const { data, errors } = objectOf(answer.json);
    const hasErrors = errors != null && !(Array.isArray(errors) && errors.length === 0);
    if (answer.status === 200 && !hasErrors && isJsonObject(data))
      return { data, bytes: answer.bytes };
    throw this.#refusal(answer);
  }

  /** Returns an error about the shop. @param predicate what follows its name @param said the shop's own text after that */
  failure(predicate: string, said = ''): Failure {
    return this.#requests.failure(predicate + this.#requests.excerpt(said, LONGEST_REASON));
  }

  async #send(query: string, variables: JsonObject): Promise<StoreAnswer> {
    this.#token ??= await this.#newToken();
    return this.#requests.send({
      method: 'POST',
      url: new URL(`/admin/api/${API_VERSION}/graphql.json`, this.#settings.shop),
      headers: {
        Accept: 'application/json',
        'Content-Type': 'application/json',
        'X-Shopify-Access-Token': this.#token,
      },
      // A bulk operation that is started twice costs time, and changes nothing.
      body: JSON.stringify({ query, variables }),
    });
  }

  /** Returns a token of a day for the credentials of an app (the client credentials grant of OAuth 2, RFC 6749, 4.4). */
  async #newToken(): Promise<string> {
    const { credentials, shop } = this.#settings;
    if ('token' in credentials) return credentials.token;
    const { clientId, clientSecret } = credentials;
    const grant = { client_id: clientId, client_secret: clientSecret };
    const answer = await this.#requests.send({
      method: 'POST',
      url: new URL('/admin/oauth/access_token', shop),
      headers: {
        Accept: 'application/json',
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: String(new URLSearchParams({ grant_type: 'client_credentials', ...grant })),
    });
    const token = textOf(objectOf(answer.json)['access_token']) ?? '';
    if (answer.status !== 200 || !isKey(token)) throw this.#tokenRefusal(answer);
    this.#secrets.add(token);
    return token;
  }

  #tokenRefusal(answer: StoreAnswer): Failure {
    const { status, text } = answer;
    const name = ['shop_not_permitted', 'app_not_installed'].find((one) => text.includes(one));
    const known = REFUSALS.get(name);
    if (known !== undefined) return this.failure(known);
    if (status === 200) {
      return this.failure(
        `gave no token for SHOPIFY_CLIENT_ID and SHOPIFY_CLIENT_SECRET (status 200). Open the app in the Dev Dashboard, check that a version is released and that it is installed in the shop, and run the command again.${reasonIn(answer, this.#requests)}`,
      );
    }
    if (status !== 400 && status !== 401 && status !== 403) return this.#refusal(answer);
    return this.failure(
      `does not accept SHOPIFY_CLIENT_ID with SHOPIFY_CLIENT_SECRET (status ${status}). Copy both from the settings of the app in the Dev Dashboard.${reasonIn(answer, this.#requests)}`,
    );
  }

  #refusal(answer: StoreAnswer): Failure {
    const { status, json } = answer;
    const known = REFUSALS.get(status === 200 ? errorCodesIn(answer)[0] : status);
    const reason = reasonIn(answer, this.#requests);
    if (known !== undefined) return this.failure(known + reason);
    if (status !== 200) return this.#requests.unexpected(answer);
    if (!isJsonObject(json)) return this.failure('answered with something that is not JSON.');
    const said = `does not answer a query.${reason || ' It gives no reason.'}`;
    return this.failure([said, this.versionNote].join(' ').trim());
  }
}

/**
 * Returns what Shopify says about a refusal, as a sentence; empty if it says nothing. Its `errors` are a text, a list of texts or
 * of objects with a message, or an object of such lists.
 */
function reasonIn({ json, text }: StoreAnswer, requests: StoreRequests): string {
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

function errorCodesIn({ json }: StoreAnswer): unknown[] {
  return objectsOf(objectOf(json)['errors']).map(({ extensions }) => objectOf(extensions)['code']);
}

/** A rejection passes, as 429 does. An answer with the status 200 may say that the query comes too often, or that Shopify failed. */
function judge(answer: StoreAnswer): 'busy' | 'lost' | undefined {
  if (answer.status === REJECTED) return 'busy';
  const codes = new Set(errorCodesIn(answer));
  if (codes.has('THROTTLED')) return 'busy';
  return codes.has('INTERNAL_SERVER_ERROR') || codes.has('TIMEOUT') ? 'lost' : undefined;
}

/** Returns how long it takes until a throttled query may be sent, in milliseconds; undefined if the answer does not say it. */
function untilRestored({ json }: StoreAnswer): number | undefined {
  const { requestedQueryCost: needed, throttleStatus } = objectOf(
    objectOf(objectOf(json)['extensions'])['cost'],
  );
  const { currentlyAvailable: available, restoreRate } = objectOf(throttleStatus);
  const pause = (1000 * (Number(needed) - Number(available))) / Number(restoreRate);
  return Number.isNaN(pause) ? undefined : pause;
}
