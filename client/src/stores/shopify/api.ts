import { wait } from '../../abort.ts';
import { jsonIn } from '../../transport.ts';
import type { StoreAnswer, StoreRequestOptions } from '../request.ts';
import { StoreRequests } from '../request.ts';
import { accessToken, shopRefusal } from './access-token.ts';
import type { JsonObject } from '../json-values.ts';
import { isJsonObject } from '../json-values.ts';
import { numberOf, objectOf, objectsOf, textOf } from '../members.ts';
import { API_VERSION } from './queries.ts';
import type { ShopifySettings } from './settings.ts';
import type { Failure } from '../failure.ts';

/** How often a query is sent again that Shopify throttles, or fails to answer. */
const TRIES = 10;

/** The pause before that, in milliseconds, at least and at most. */
const [SHORTEST, LONGEST] = [1000, 60_000];

/** The codes of errors after which a query is sent again. */
const PASSING: ReadonlySet<unknown> = new Set(['THROTTLED', 'INTERNAL_SERVER_ERROR', 'TIMEOUT']);

/** Asks one shop. What it throws is a sentence about what to do, without a token or a secret. */
export class AdminApi {
  readonly #settings: ShopifySettings;
  readonly #requests: StoreRequests;
  /** The tokens that the shop gave. */
  readonly #secrets: string[] = [];
  readonly #signal: AbortSignal;
  #token: string | undefined;
  /** The version in which Shopify answered, if it is another one. */
  otherVersion: string | undefined;

  constructor(settings: ShopifySettings, around: Pick<StoreRequestOptions, 'fetch' | 'signal'>) {
    this.#settings = settings;
    this.#signal = around.signal;
    this.#requests = new StoreRequests({
      ...around,
      name: `The shop ${settings.shop.host}`,
      secrets: this.#secrets,
      onRedirect: ({ hostname }) =>
        hostname.endsWith('.myshopify.com')
          ? `Its own name is ${hostname}: set SHOPIFY_SHOP to it.`
          : 'Set SHOPIFY_SHOP to its own name, which ends in .myshopify.com.',
    });
  }

  /**
   * Returns the `data` of a query.
   * @throws Failure if there is none
   */
  async query(query: string, variables: JsonObject = {}): Promise<JsonObject> {
    for (let tried = 1; ; tried++) {
      const { errors, data, extensions } = await this.#answer(query, variables);
      if (errors.length === 0 && isJsonObject(data)) return data;
      const isPassing = errors.some((error) => PASSING.has(codeOf(error)));
      if (!isPassing || tried >= TRIES) throw this.#refusal(errors);
      await wait(pauseOf(extensions), [this.#signal]);
    }
  }

  /** Returns an error about the shop. @param predicate what follows its name */
  failure(predicate: string): Failure {
    return this.#requests.failure(predicate);
  }

  async #answer(
    query: string,
    variables: JsonObject,
  ): Promise<{ errors: readonly JsonObject[]; data: unknown; extensions: JsonObject }> {
    let answer = await this.#send(query, variables);
    // The token of a day has expired during the run.
    if (answer.status === 401 && 'clientId' in this.#settings.credentials) {
      this.#token = undefined;
      answer = await this.#send(query, variables);
    }
    if (answer.status !== 200) throw this.#unexpected(answer);
    const body = jsonIn(answer.text);
    if (!isJsonObject(body)) throw this.failure('answered with something that is not JSON.');
    const version = answer.headers.get('X-Shopify-API-Version') ?? API_VERSION;
    if (version !== API_VERSION) this.otherVersion = version;
    return {
      errors: objectsOf(body['errors']),
      data: body['data'],
      extensions: objectOf(body['extensions']),
    };
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
      body: JSON.stringify({ query, variables }),
      // A bulk operation that is started twice costs time, and changes nothing.
      isRepeatable: true,
    });
  }

  #unexpected(answer: StoreAnswer): Failure {
    const { status } = answer;
    if (status === 401) {
      const what =
        'token' in this.#settings.credentials
          ? 'the token in SHOPIFY_ACCESS_TOKEN. It may be revoked, expired, or of another shop: copy it again, or set SHOPIFY_CLIENT_ID and SHOPIFY_CLIENT_SECRET in its place'
          : 'the token that it gave for SHOPIFY_CLIENT_ID. Run the command again';
      return this.failure(`does not accept ${what} (status 401).`);
    }
    if (status === 403) {
      return this.failure(
        'forbids this app to ask (status 403). Is the app still installed, and does its version have the scopes read_products and read_discounts?',
      );
    }
    return shopRefusal(answer, this.#requests) ?? this.#requests.unexpected(answer);
  }

  #refusal(errors: readonly JsonObject[]): Failure {
    const [first = {}] = errors;
    const code = codeOf(first);
    const said = textOf(first['message']) ?? 'it gave no reason';
    if (code === 'THROTTLED') {
      return this.failure('is asked too often, also by other apps. Run the command again later.');
    }
    if (code === 'ACCESS_DENIED') {
      return this.failure(
        `does not let this app read everything: ${said} Give it the scopes read_products and read_discounts.`,
      );
    }
    if (code === 'SHOP_INACTIVE')
      return this.failure('is not active. Its owner can open it again.');
    const version = this.otherVersion === undefined ? '' : ` ${versionNote(this.otherVersion)}`;
    return this.failure(`does not answer a query: ${said}${version}`);
  }
}

/** Says that the version of the API is retired. */
export function versionNote(version: string): string {
  return `Shopify no longer serves the version ${API_VERSION} of its API, and answered in ${version}: ask for a newer brand-integration-client.`;
}

function codeOf(error: JsonObject): unknown {
  return objectOf(error['extensions'])['code'];
}

/** Returns how long it takes until a throttled query may be sent, in milliseconds. */
function pauseOf({ cost }: JsonObject): number {
  const { requestedQueryCost, throttleStatus } = objectOf(cost);
  const { currentlyAvailable, restoreRate } = objectOf(throttleStatus);
  const missing = (numberOf(requestedQueryCost) ?? 0) - (numberOf(currentlyAvailable) ?? 0);
  const seconds = missing / (numberOf(restoreRate) ?? 1);
  return Math.min(LONGEST, Math.max(SHORTEST, seconds * 1000));
}
