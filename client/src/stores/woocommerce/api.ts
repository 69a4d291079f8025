import { objectOf, writtenOf } from '../json-values.ts';
import { isChallenge } from './bot-challenge.ts';
import type { RequestContext, StoreAnswer } from '../store-requests.ts';
import { Overload, StoreRequests } from '../store-requests.ts';
import type { WooCommerceSettings } from './settings.ts';
import { shopAddress } from './settings.ts';
import { Failure } from '../../../../common/failure.ts';

/** What is asked, below `/wc/v3`. */
export interface Question {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** How often its answer may be lost, if that is not the usual number. */
  readonly tries?: number | undefined;
}

/** How many requests are sent at once. */
export const REQUESTS_AT_ONCE = 4;

interface Answered {
  readonly found: 'answer';
  readonly answer: StoreAnswer;
}

/** There is no answer: to a question of fewer entries, there may be one. */
export interface TooLarge {
  readonly found: 'tooLarge';
  /** A sentence, in case that there is none. */
  readonly why: string;
}

/** The store does not answer a question, however much it asks for. */
export interface Refused {
  readonly found: 'refused';
  /** A sentence. */
  readonly why: string;
}

/** The statuses with which the API answers a question: it has what is asked for, or not. */
const ANSWERS: ReadonlySet<number> = new Set([200, 404]);

/** How the address of the API is written: the second one is that of sites with plain permalinks. */
type Form = 'path' | 'parameter';

/** The API of a WooCommerce store. It only reads. */
export class WooCommerceApi {
  readonly #requests: StoreRequests;
  readonly #address: string;
  readonly #headers: Readonly<Record<string, string>>;
  #form: Form | undefined;

  constructor({ address, key, secret }: WooCommerceSettings, context: RequestContext) {
    this.#address = address;
    const credentials = btoa(`${key}:${secret}`);
    context.secrets.add(key, secret, credentials);
    this.#headers = { Accept: 'application/json', Authorization: `Basic ${credentials}` };
    this.#requests = new StoreRequests({
      name: `The store at ${address}`,
      onRedirect: redirected,
      onDenied: (answer) => this.#refused(answer),
      ...context,
    });
  }

  /**
   * Returns an answer in JSON, whose status is 200 or 404.
   * @throws Overload if there is none, or a smaller question may have one; Failure if the store refuses, or its answer is not
   *   JSON; the reason of the signal
   */
  async ask(question: Question): Promise<StoreAnswer> {
    const answer = await this.#answer(question);
    if (isAnswer(answer)) return answer;
    throw this.#refusal(answer, question);
  }

  /** Asks a question of many entries: of fewer of them, the store may answer it. */
  async askForMany(question: Question): Promise<Answered | TooLarge | Refused> {
    try {
      return { found: 'answer', answer: await this.ask(question) };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { found: error instanceof Overload ? 'tooLarge' : 'refused', why: error.message };
    }
  }

  /** Returns an error about the store, without secrets. @param predicate what follows its name */
  failure(predicate: string): Failure {
    return this.#requests.failure(predicate);
  }

  /**
   * Returns the error for an answer in JSON that does not say what was asked, with the cause that fits.
   * @param predicate what it does not say, after the name of the store: `has no list of products`
   */
  async unanswered(predicate: string, answer: StoreAnswer): Promise<Failure> {
    const code = codeIn(answer);
    const what = `${predicate} (${this.#statusIn(answer)}).`;
    if (answer.status !== 404 || code.endsWith('_invalid_id')) {
      return this.failure(`${what} ${BETWEEN}`);
    }
    if (code !== 'rest_no_route') return this.failure(`${what} ${SWITCHED_OFF}`);
    const index = await this.#answer({ path: '' });
    const isThere = index.status === 200 && isAnswer(index);
    return this.failure(`${what} ${isThere ? SWITCHED_OFF : NO_WOOCOMMERCE}`);
  }

  /** Finds out with the first question how addresses are written. */
  async #answer(question: Question): Promise<StoreAnswer> {
    const first = await this.#send(question, this.#form ?? 'path');
    if (this.#form !== undefined || !isPage(first) || isNothing(first)) {
      if (isAnswer(first)) this.#form ??= 'path';
      return first;
    }
    const second = await this.#send(question, 'parameter');
    if (isPage(second)) {
      throw this.failure(
        `has no API of WordPress: it answered with ${this.#quoted(first.text, 60)}. Is WOOCOMMERCE_URL the address of the shop, with its folder if it has one?`,
      );
    }
    if (second.json !== undefined) this.#form = 'parameter';
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
    if (ANSWERS.has(status) && !isChallenge(answer)) {
      const start = this.#quoted(text, 60);
      return this.failure(`answered ${path} with no JSON, but ${start}. ${BETWEEN}`);
    }
    if (status === 429 || status >= 500) return this.#requests.unexpected(answer);
    const refused = this.#refused(answer);
    // So many entries a page.
    return codeIn(answer) === 'rest_invalid_param'
      ? this.#requests.overload(refused)
      : this.failure(refused);
  }

  #refused(answer: StoreAnswer): string {
    const { status, headers, text, json } = answer;
    const code = codeIn(answer);
    const message = writtenOf(objectOf(json)['message']);
    const said = message === '' ? this.#quoted(text, 60) : this.#quoted(message, 200);
    const known = REFUSALS[`${status} ${code}`];
    if (known !== undefined) return known.replace('MESSAGE', () => said);
    const what = `refuses the request (${this.#statusIn(answer)}): ${said}.`;
    if (code === 'rest_invalid_param') return what;
    if (headers.has('WWW-Authenticate')) return `${what} ${PASSWORD}`;
    if (code === '') return `${what} ${FIREWALL}`;
    const isOfPlugin = status !== 400 && !code.startsWith('woocommerce_');
    return isOfPlugin ? `${what} ${SWITCHED_OFF}` : what;
  }

  /** Returns the status, and the word for the reason: `404 rest_no_route`. */
  #statusIn(answer: StoreAnswer): string {
    return `${answer.status} ${this.#requests.excerpt(codeIn(answer), 60)}`.trim();
  }

  #quoted(text: string, longest: number): string {
    const start = this.#requests.excerpt(text, longest);
    return start === '' ? 'nothing' : `"${start}"`;
  }
}

/** Returns WordPress's word for the reason of an error; empty if it gives none. */
function codeIn({ json }: StoreAnswer): string {
  return writtenOf(objectOf(json)['code']);
}

/** Whether the API itself says that it has what is asked for, or not. */
function isAnswer(answer: StoreAnswer): boolean {
  return ANSWERS.has(answer.status) && answer.json !== undefined && !isChallenge(answer);
}

/** Whether an answer is what a site shows to people. */
function isPage(answer: StoreAnswer): boolean {
  return ANSWERS.has(answer.status) && answer.json === undefined && !isChallenge(answer);
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
