import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { Answer, Call, Client } from '../client.ts';
import type { Tally } from './tally.ts';
import type { Random } from '../random.ts';

/** A resource as it is shown. */
export type Shown = z.infer<typeof shownSchema>;
const shownSchema = z.looseObject({ id: z.string() });

const one = z.object({ product: shownSchema });
const many = z.object({ products: z.array(shownSchema) });

/** A product that this connection alone changes, as the last answer showed it. */
export interface Own {
  readonly product: Shown;
  readonly etag: string;
}

/** What a request is for, and which status it must come to. */
export interface Asking extends Omit<Call, 'apiKey'> {
  readonly operation: string;
  readonly expected: number;
}

/** The products' path. */
export const PRODUCTS = '/api/brand/v1/products';

/**
 * One connection: it knows what its own products must be, and holds every answer against that. Others of the same brand
 * have products of their own.
 */
export class Connection {
  readonly own = new Map<string, Own>();
  /** The products that it deleted. */
  readonly gone = new Set<string>();
  readonly name: string;
  readonly random: Random;
  readonly #client: Client;
  readonly #apiKey: string;
  readonly #tally: Tally;
  #count = 0;

  constructor(name: string, random: Random, client: Client, apiKey: string, tally: Tally) {
    this.name = name;
    this.random = random;
    this.#client = client;
    this.#apiKey = apiKey;
    this.#tally = tally;
  }

  /** A number, and a text, that no other request has. */
  unique(): { number: number; text: string } {
    const number = ++this.#count;
    return { number, text: `${this.name}-${number}` };
  }

  /**
   * Sends a request and holds the answer's status against what was expected.
   * @returns the answer where it was; undefined where a limit refused it, or where it is an error, which is noted
   */
  async ask({ operation, expected, ...call }: Asking): Promise<Answer | undefined> {
    const start = performance.now();
    let answer: Answer;
    try {
      answer = await this.#client.send({ ...call, apiKey: this.#apiKey });
    } catch (error) {
      this.fail(operation, String(error));
      return undefined;
    }
    const asExpected = answer.status === expected;
    this.#tally.answered(operation, answer.status, performance.now() - start, asExpected);
    if (asExpected) return answer;
    if (answer.status !== 429) this.fail(operation, `${answer.status} ${answer.text}`);
    return undefined;
  }

  /** Notes an error of an operation. */
  fail(operation: string, text: string): void {
    this.#tally.failed(`${operation}, connection ${this.name}: ${text.slice(0, 500)}`);
  }

  /** Notes an error where what came is not what it must be. */
  check(operation: string, got: unknown, wanted: unknown): void {
    if (isDeepStrictEqual(got, wanted)) return;
    this.fail(operation, `expected ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`);
  }

  /** Notes an error where the values that were sent are not what is shown. */
  checkFields(operation: string, shown: Shown, sent: Readonly<Record<string, unknown>>): void {
    for (const [field, value] of Object.entries(sent)) {
      this.check(`${operation}, ${field}`, shown[field], value);
    }
  }

  /** Takes a product that a write answered with for its own, holding the fields that were sent against it. */
  keep(operation: string, answer: Answer, sent: Readonly<Record<string, unknown>>): void {
    const { product } = one.parse(JSON.parse(answer.text));
    this.checkFields(operation, product, sent);
    this.own.set(product.id, { product, etag: String(answer.headers.etag) });
  }

  /** The one product in an answer. */
  shown(answer: Answer): Shown {
    return one.parse(JSON.parse(answer.text)).product;
  }

  /**
   * The products of a list, in which its own ones must be as they were last seen, and those that it deleted must not be.
   * @param belongs tells of an id whether it must be there
   */
  listed(
    operation: string,
    answer: Answer,
    belongs: (id: string, last: string) => boolean,
  ): Shown[] {
    const { products } = many.parse(JSON.parse(answer.text));
    const found = new Map(products.map((product) => [product.id, product]));
    const last = products.at(-1)?.id ?? '';
    for (const [id, { product }] of this.own) {
      const shown = found.get(id);
      if (shown !== undefined) this.checkFields(operation, shown, product);
      else if (belongs(id, last)) this.fail(operation, `${id} is not there`);
    }
    for (const { id } of products) {
      if (this.gone.has(id)) this.fail(operation, `${id} was deleted, and is there`);
    }
    const ids = products.map(({ id }) => id);
    this.check(operation, ids, ids.toSorted());
    return products;
  }
}
