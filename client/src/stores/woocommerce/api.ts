import { objectOf, writtenOf } from '../json.ts';
import type { Around, StoreAnswer } from '../request.ts';
import { StoreRequests } from '../request.ts';
import type { WooCommerceSettings } from './settings.ts';
import { shopAddress } from './settings.ts';
import type { Failure } from '../failure.ts';
import { PageSize } from './page-size.ts';

/** What is asked, below `/wc/v3`. */
export interface Question {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** How often its answer may be lost, if that is not the usual number. */
  readonly tries?: number | undefined;
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
  readonly pageSize = new PageSize();
  readonly #requests: StoreRequests;
  readonly #address: string;
  readonly #headers: Readonly<Record<string, string>>;
  #form: Form | undefined;

  constructor({ address, key, secret }: WooCommerceSettings, around: Around) {
    this.#address = address;
    const credentials = btoa(`${key}:${secret}`);
    this.#headers = { Accept: 'application/json', Authorization: `Basic ${credentials}` };
    this.#requests = new StoreRequests({
      name: `The store at ${address}`,
      secrets: [credentials, key, secret],
      onRedirect: redirected,
      onDenied: (answer) => this.#refused(answer),
      ...around,
    });
  }

  /**
   * @throws Overload if there is no answer, or a smaller question may have one; Failure if the store refuses, or its answer is
   *   not JSON; the reason of the signal
   */
  async ask(question: Question): Promise<ApiAnswer> {
    const answer = await this.#answer(question);
    const { status, json, headers } = answer;
    if ((status === 200 || status === 404) && json !== undefined) {
      return { status, body: json, headers };
    }
    throw this.#refusal(answer, question);
  }

  /** Returns an error about the store, without secrets. @param predicate what follows its name */
  failure(predicate: string): Failure {
    return this.#requests.failure(predicate);
  }

  /**
   * Returns the error for an answer in JSON that does not say what was asked, with the cause that fits.
   * @param predicate what it does not say, after the name of the store: `has no list of products`
   */
  async unclear(predicate: string, { status, body }: ApiAnswer): Promise<Failure> {
    const code = this.#requests.excerpt(writtenOf(objectOf(body)['code']), 60);
    const what = `${predicate} (${[status, code].filter(Boolean).join(' ')}).`;
    if (status !== 404 || code.endsWith('_invalid_id')) return this.failure(`${what} ${BETWEEN}`);
    if (code !== 'rest_no_route') return this.failure(`${what} ${SWITCHED_OFF}`);
    const index = await this.#answer({ path: '' });
    return this.failure(
      `${what} ${index.status === 200 && index.json !== undefined ? SWITCHED_OFF : NO_WOOCOMMERCE}`,
    );
  }

  /** Finds out with the first question how addresses are written. */
  async #answer(question: Question): Promise<StoreAnswer> {
    if (this.#form !== undefined) return this.#send(question, this.#form);
    const first = await this.#send(question, 'path');
    if (first.json !== undefined) {
      this.#form = 'path';
      return first;
    }
    // A site with plain permalinks answers with a page.
    if ((first.status !== 200 && first.status !== 404) || isNothing(first)) return first;
    const second = await this.#send(question, 'parameter');
    if (second.json === undefined) {
      if (second.status !== 200 && second.status !== 404) return second;
      throw this.failure(
        `has no API of WordPress: it answered with ${this.#quoted(first.text, 60)}. Is WOOCOMMERCE_URL the address of the shop, with its folder if it has one?`,
      );
    }
    this.#form = 'parameter';
    return second;
  }

  #send({ path, query = {}, tries }: Question, form: Form): Promise<StoreAnswer> {
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
      tries,
    });
  }

  #refusal(answer: StoreAnswer, { path }: Question): Failure {
    const { status, text } = answer;
    if (isNothing(answer)) {
      return this.#requests.overload(`answered ${path} with nothing. ${BETWEEN}`);
    }
    if (status === 200 || status === 404) {
      return this.failure(
        `answered ${path} with no JSON, but ${this.#quoted(text, 60)}. ${BETWEEN}`,
      );
    }
    if (status === 429 || status >= 500) return this.#requests.unexpected(answer);
    // So many entries a page.
    const isTooMuch = writtenOf(objectOf(answer.json)['code']) === 'rest_invalid_param';
    const refused = this.#refused(answer);
    return isTooMuch ? this.#requests.overload(refused) : this.failure(refused);
  }

  #refused({ status, headers, text, json }: StoreAnswer): string {
    const { code, message } = objectOf(json);
    const known = REFUSALS[`${status} ${writtenOf(code)}`];
    const said = this.#quoted(writtenOf(message) || text, writtenOf(message) === '' ? 60 : 200);
    if (known !== undefined) return known.replace('MESSAGE', () => said);
    const name = this.#requests.excerpt(writtenOf(code), 60);
    const what = `refuses the request (${[status, name].filter(Boolean).join(' ')}): ${said}.`;
    if (name === 'rest_invalid_param') return what;
    if (headers.has('WWW-Authenticate')) return `${what} ${PASSWORD}`;
    if (name === '') return `${what} ${FIREWALL}`;
    const isOfPlugin = status !== 400 && !name.startsWith('woocommerce_');
    return isOfPlugin ? `${what} ${SWITCHED_OFF}` : what;
  }

  #quoted(text: string, longest: number): string {
    const start = this.#requests.excerpt(text, longest);
    return start === '' ? 'nothing' : `"${start}"`;
  }
}

/** Whether the program of the store may have ended before it answered. */
function isNothing({ status, text }: StoreAnswer): boolean {
  return status === 200 && text.trim() === '';
}

/** What to do about answers of WooCommerce itself, by their status and code. */
const REFUSALS: Readonly<Record<string, string>> = {
  '401 woocommerce_rest_cannot_view':
    'did not see a key that it knows (401). Check WOOCOMMERCE_KEY. If it is right, WordPress does not know that the request came over HTTPS, or the web server or a proxy drops the header Authorization: for Apache, add this line to .htaccess: SetEnvIf Authorization "(.*)" HTTP_AUTHORIZATION=$1',
  '401 woocommerce_rest_authentication_error':
    'refuses the key (401): MESSAGE Check WOOCOMMERCE_SECRET, and that the key may read.',
  '403 woocommerce_rest_cannot_view':
    'does not let the user of this key read (403). Create a key for an administrator or a shop manager.',
};

const NO_WOOCOMMERCE =
  'It is a WordPress without WooCommerce, or with one that is not active, or a plugin has switched its REST API off. Is WOOCOMMERCE_URL the address of the shop?';

const SWITCHED_OFF =
  'A plugin or a security setting has switched off the REST API of WordPress, or a part of it: allow /wp-json/wc/v3 there.';

const FIREWALL =
  'A firewall blocks the API of WordPress: ask who runs it to allow requests to /wp-json/wc/v3 from this machine, or with the User-Agent brand-integration.';

const PASSWORD =
  'The web server asks for a password of its own, as for a site that is not public yet: exclude /wp-json from it.';

const BETWEEN = 'A plugin, a cache or a firewall may be in between.';

function redirected(target: URL): string {
  const isApi = target.pathname.includes('/wp-json') || target.searchParams.has('rest_route');
  return isApi
    ? `Set WOOCOMMERCE_URL to ${shopAddress(target)}.`
    : `It sends requests to its API to ${target.origin}${target.pathname}: is WOOCOMMERCE_URL right, and is the API open?`;
}
