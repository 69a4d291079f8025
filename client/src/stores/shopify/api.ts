import type { Around, StoreAnswer } from '../request.ts';
import { StoreRequests } from '../request.ts';
import { accessToken, shopRefusal } from './access-token.ts';
import type { JsonObject } from '../json.ts';
import { isJsonObject, numberOf, objectOf, objectsOf } from '../json.ts';
import { API_VERSION } from './queries.ts';
import { reasonIn } from './reason.ts';
import type { ShopifySettings } from './settings.ts';
import type { Failure } from '../failure.ts';

/** The codes of errors after which a query is sent again. */
const PASSING: ReadonlySet<unknown> = new Set(['INTERNAL_SERVER_ERROR', 'TIMEOUT']);

/** Asks one shop. What it throws is a sentence about what to do, without a token or a secret. */
export class AdminApi {
  readonly #settings: ShopifySettings;
  readonly #requests: StoreRequests;
  /** What nobody may see: what the settings have, and the tokens that the shop gave. */
  readonly #secrets: string[];
  #token: string | undefined;
  /** The version in which Shopify answered, if it is another one. */
  otherVersion: string | undefined;

  constructor(settings: ShopifySettings, around: Around) {
    const { credentials } = settings;
    this.#settings = settings;
    this.#secrets = ['token' in credentials ? credentials.token : credentials.clientSecret];
    this.#requests = new StoreRequests({
      ...around,
      name: `The shop ${settings.shop.host}`,
      secrets: this.#secrets,
      onRedirect: ({ hostname }) =>
        hostname.endsWith('.myshopify.com')
          ? `Its own name is ${hostname}: set SHOPIFY_SHOP to it.`
          : 'Set SHOPIFY_SHOP to its own name, which ends in .myshopify.com.',
      onDenied: (answer) => this.#denied(answer),
      judge,
      pauseOf: untilRestored,
    });
  }

  /**
   * Returns the `data` of a query.
   * @throws Failure if there is none
   */
  async query(query: string, variables: JsonObject = {}): Promise<JsonObject> {
    let answer = await this.#send(query, variables);
    // The token of a day has expired during the run.
    if (answer.status === 401 && 'clientId' in this.#settings.credentials) {
      this.#token = undefined;
      answer = await this.#send(query, variables);
    }
    if (answer.status !== 200) throw this.#unexpected(answer);
    if (!isJsonObject(answer.json)) throw this.failure('answered with something that is not JSON.');
    const version = answer.headers.get('X-Shopify-API-Version') ?? API_VERSION;
    if (version !== API_VERSION) this.otherVersion = version;
    const { data, errors } = answer.json;
    const hasErrors = errors != null && !(Array.isArray(errors) && errors.length === 0);
    if (!hasErrors && isJsonObject(data)) return data;
    throw this.#refusal(answer);
  }

  /** Returns the beginning of a text of the shop, for a sentence. @param longest in UTF-16 units */
  excerpt(text: string, longest: number): string {
    return this.#requests.excerpt(text, longest);
  }

  /** Returns an error about the shop. @param predicate what follows its name */
  failure(predicate: string): Failure {
    return this.#requests.failure(predicate);
  }

  async #send(query: string, variables: JsonObject): Promise<StoreAnswer> {
    const { shop, credentials } = this.#settings;
    if (this.#token === undefined) {
      this.#token = await accessToken(this.#requests, shop, credentials);
      this.#secrets.push(this.#token);
    }
    return this.#requests.send({
      method: 'POST',
      url: new URL(`/admin/api/${API_VERSION}/graphql.json`, shop),
      headers: {
        Accept: 'application/json',
        'Content-Type': 'application/json',
        'X-Shopify-Access-Token': this.#token,
      },
      // A bulk operation that is started twice costs time, and changes nothing.
      body: JSON.stringify({ query, variables }),
    });
  }

  #unexpected(answer: StoreAnswer): Failure {
    if (answer.status === 400) {
      const reason = reasonIn(answer, this.#requests);
      return this.failure(`refuses the request (status 400).${reason}`);
    }
    return shopRefusal(answer, this.#requests) ?? this.#requests.unexpected(answer);
  }

  #denied(answer: StoreAnswer): string {
    const reason = reasonIn(answer, this.#requests);
    if (answer.status === 403) {
      return `forbids this app to ask (status 403). Is the app still installed, and does its version have the scopes read_products and read_discounts?${reason}`;
    }
    const what =
      'token' in this.#settings.credentials
        ? 'the token in SHOPIFY_ACCESS_TOKEN. It may be revoked, expired, or of another shop: copy it again, or set SHOPIFY_CLIENT_ID and SHOPIFY_CLIENT_SECRET in its place'
        : 'the token that it gave for SHOPIFY_CLIENT_ID. Run the command again';
    return `does not accept ${what} (status 401).${reason}`;
  }

  #refusal(answer: StoreAnswer): Failure {
    const code = errorsIn(answer).map(errorCodeOf)[0];
    const said = reasonIn(answer, this.#requests) || ' It gives no reason.';
    if (code === 'THROTTLED') {
      return this.failure('is asked too often, also by other apps. Run the command again later.');
    }
    if (code === 'ACCESS_DENIED') {
      return this.failure(
        `does not let this app read everything. Give it the scopes read_products and read_discounts.${said}`,
      );
    }
    if (code === 'SHOP_INACTIVE')
      return this.failure('is not active. Its owner can open it again.');
    const version = this.otherVersion === undefined ? '' : ` ${versionNote(this.otherVersion)}`;
    return this.failure(`does not answer a query.${said}${version}`);
  }
}

/** Says that the version of the API is retired. */
export function versionNote(version: string): string {
  return `Shopify no longer serves the version ${API_VERSION} of its API, and answered in ${version}: ask for a newer brand-integration-client.`;
}

function errorCodeOf(error: JsonObject): unknown {
  return objectOf(error['extensions'])['code'];
}

function errorsIn({ json }: StoreAnswer): JsonObject[] {
  return objectsOf(objectOf(json)['errors']);
}

/** An answer with the status 200 may say that the query comes too often, or that Shopify failed. */
function judge(answer: StoreAnswer): 'busy' | 'lost' | undefined {
  const codes = errorsIn(answer).map(errorCodeOf);
  if (codes.includes('THROTTLED')) return 'busy';
  return codes.some((code) => PASSING.has(code)) ? 'lost' : undefined;
}

/** Returns how long it takes until a throttled query may be sent, in milliseconds; undefined if the answer does not say it. */
function untilRestored({ json }: StoreAnswer): number | undefined {
  const { cost } = objectOf(objectOf(json)['extensions']);
  if (cost === undefined) return undefined;
  const { requestedQueryCost, throttleStatus } = objectOf(cost);
  const { currentlyAvailable, restoreRate } = objectOf(throttleStatus);
  const missing = (numberOf(requestedQueryCost) ?? 0) - (numberOf(currentlyAvailable) ?? 0);
  return (1000 * missing) / (numberOf(restoreRate) ?? 1);
}
