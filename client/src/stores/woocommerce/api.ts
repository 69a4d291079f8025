import { jsonIn } from '../../transport.ts';
import type { JsonObject } from '../json-values.ts';
import { isJsonObject } from '../json-values.ts';
import { writtenOf } from '../members.ts';
import type { StoreAnswer } from '../request.ts';
import { StoreRequests } from '../request.ts';
import type { WooCommerceSettings } from './settings.ts';
import { shopAddress } from './settings.ts';
import type { Failure } from '../failure.ts';

/** What is asked, below `/wc/v3`. */
export interface Question {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
}

/** An answer in JSON, whose status is 200 or 404. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

/** How the address of the API is written: the second one is that of sites with plain permalinks. */
type Form = 'path' | 'parameter';

/** The API of a WooCommerce store. It only reads. */
export class WooCommerceApi {
  readonly #requests: StoreRequests;
  readonly #address: string;
  readonly #headers: Readonly<Record<string, string>>;
  #form: Form | undefined;

  constructor(
    { address, key, secret }: WooCommerceSettings,
    around: { readonly fetch: typeof fetch; readonly signal: AbortSignal },
  ) {
    this.#address = address;
    const credentials = btoa(`${key}:${secret}`);
    this.#headers = { Accept: 'application/json', Authorization: `Basic ${credentials}` };
    this.#requests = new StoreRequests({
      name: `The store at ${address}`,
      secrets: [credentials],
      onRedirect: redirected,
      ...around,
    });
  }

  /** @throws Failure if the store refuses, or its answer is not JSON; the reason of the signal */
  async ask(question: Question): Promise<ApiAnswer> {
    const answer = await this.#answer(question);
    const { status, text, headers } = answer;
    const body = jsonIn(text);
    if (status === 200 || status === 404) {
      if (body !== undefined) return { status, body, headers };
      throw this.failure(
        `answered ${question.path} with no JSON, but ${startOf(text)}. ${BETWEEN}`,
      );
    }
    throw this.#refusal(answer, isJsonObject(body) ? body : undefined);
  }

  /** Returns an error about the store, without secrets. @param predicate what follows its name */
  failure(predicate: string): Failure {
    return this.#requests.failure(predicate);
  }

  /** Finds out with the first question how addresses are written. */
  async #answer(question: Question): Promise<StoreAnswer> {
    if (this.#form !== undefined) return this.#send(question, this.#form);
    const first = await this.#send(question, 'path');
    if (jsonIn(first.text) !== undefined) {
      if (codeOf(first) === 'rest_no_route') throw this.failure(NO_WOOCOMMERCE);
      this.#form = 'path';
      return first;
    }
    // A site with plain permalinks answers with a page.
    if (first.status !== 200 && first.status !== 404) return first;
    const second = await this.#send(question, 'parameter');
    if (jsonIn(second.text) === undefined) {
      if (second.status !== 200 && second.status !== 404) return second;
      throw this.failure(
        `has no API of WordPress: it answered with ${startOf(first.text)}. Is WOOCOMMERCE_URL the address of the shop, with its folder if it has one?`,
      );
    }
    if (codeOf(second) === 'rest_no_route') throw this.failure(NO_WOOCOMMERCE);
    this.#form = 'parameter';
    return second;
  }

  #send({ path, query = {} }: Question, form: Form): Promise<StoreAnswer> {
    const url = new URL(
      form === 'path' ? `${this.#address}/wp-json/wc/v3${path}` : `${this.#address}/index.php`,
    );
    if (form === 'parameter') url.searchParams.set('rest_route', `/wc/v3${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    // WooCommerce looks at the key only if the address contains this text.
    const end = form === 'parameter' ? '&x=wp-json/wc/' : '';
    return this.#requests.send({
      method: 'GET',
      url: new URL(url.href + end),
      headers: this.#headers,
    });
  }

  #refusal(answer: StoreAnswer, body: JsonObject | undefined): Failure {
    const { status } = answer;
    const said = writtenOf(body?.['message']).slice(0, 200);
    const code = writtenOf(body?.['code']);
    if (status === 401 && code === 'woocommerce_rest_cannot_view') {
      return this.failure(
        'did not see a key that it knows (401). Check WOOCOMMERCE_KEY; if it is right, the web server or a proxy removes the header Authorization, or WordPress does not know that the request came over HTTPS.',
      );
    }
    if (status === 401 && code === 'woocommerce_rest_authentication_error') {
      return this.failure(
        `refuses the key (401): "${said}" Check WOOCOMMERCE_SECRET, and that the key may read.`,
      );
    }
    if (status === 403 && code === 'woocommerce_rest_cannot_view') {
      return this.failure(
        'does not let the user of this key read (403). Create a key for an administrator or a shop manager.',
      );
    }
    if (status === 401 || status === 403) {
      const what = said === '' ? startOf(answer.text) : `"${said}"`;
      return this.failure(
        `refuses the request (${status}) with ${what}. A firewall or a plugin for security may block the API of WordPress.`,
      );
    }
    if (body !== undefined && status < 500 && said !== '') {
      return this.failure(`refuses the request (${status}): "${said}"`);
    }
    return this.#requests.unexpected(answer);
  }
}

const NO_WOOCOMMERCE =
  'is a WordPress without WooCommerce, or with one that is not active (404). Is WOOCOMMERCE_URL the address of the shop?';

const BETWEEN = 'A plugin, a cache or a firewall may be in between.';

function codeOf({ status, text }: StoreAnswer): string {
  const body = status === 404 ? jsonIn(text) : undefined;
  return isJsonObject(body) ? writtenOf(body['code']) : '';
}

/** Returns how a text begins, to recognize it. */
function startOf(text: string): string {
  const start = text.replace(/\s+/g, ' ').trim().slice(0, 60);
  return start === '' ? 'nothing' : `"${start}"`;
}

function redirected(target: URL): string {
  const isApi = target.pathname.includes('/wp-json') || target.searchParams.has('rest_route');
  return isApi
    ? `Set WOOCOMMERCE_URL to ${shopAddress(target)}.`
    : `It sends requests to its API to ${target.origin}${target.pathname}: is WOOCOMMERCE_URL right, and is the API open?`;
}
