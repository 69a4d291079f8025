import * as z from 'zod';
import type { Answer, Call, Client } from '../client.ts';
import type { Fields, Ledger, Pending, Shown } from './ledger.ts';
import { shownSchema } from './ledger.ts';
import type { Random } from '../random.ts';

/** The products' path. */
export const PRODUCTS = '/api/brand/v1/products';
const BULK = 20;
/** Own products above which a connection rather deletes. */
const ENOUGH = 200;

/** How often a connection makes a kind of write. */
interface Share {
  readonly kind: Pending['kind'];
  readonly weight: number;
}

/** What it writes. */
const KINDS: readonly Share[] = [
  { kind: 'create', weight: 30 },
  { kind: 'create 20', weight: 10 },
  { kind: 'patch', weight: 40 },
  { kind: 'delete', weight: 20 },
];

/** The same above that: as many products go as come. */
const KINDS_WHEN_ENOUGH: readonly Share[] = [
  { kind: 'create', weight: 5 },
  { kind: 'create 20', weight: 2 },
  { kind: 'patch', weight: 45 },
  { kind: 'delete', weight: 48 },
];

const one = z.object({ product: shownSchema });
const many = z.object({ products: z.array(shownSchema) });

/** One connection that writes all the time, and notes what it is promised. */
export class Writer {
  readonly ledger: Ledger = { rows: new Map(), pending: undefined };
  readonly name: string;
  readonly #random: Random;
  readonly #apiKey: string;
  readonly #acknowledged: Map<string, number>;
  #count = 0;

  /** @param acknowledged the writes of all connections that were acknowledged, by their kinds */
  constructor(name: string, random: Random, apiKey: string, acknowledged: Map<string, number>) {
    this.name = name;
    this.#random = random;
    this.#apiKey = apiKey;
    this.#acknowledged = acknowledged;
  }

  /**
   * Writes until the server is gone.
   * @throws where it refuses a write
   */
  async run(client: Client): Promise<void> {
    for (;;) {
      const pending = this.#next();
      this.ledger.pending = pending;
      let answer: Answer;
      try {
        answer = await client.send(pending.call);
      } catch {
        // No answer: what became of the write is found out later.
        return;
      }
      if (answer.status >= 300) throw new Error(`${pending.kind}: ${answer.status} ${answer.text}`);
      this.#note(pending, answer);
      this.ledger.pending = undefined;
    }
  }

  #next(): Pending {
    const number = ++this.#count;
    const text = `${this.name}-${number}`;
    const { rows } = this.ledger;
    const id = this.#random.pick([...rows.keys()]);
    const kind = this.#random.weighted(rows.size > ENOUGH ? KINDS_WHEN_ENOUGH : KINDS)?.kind;
    if (id !== undefined && kind === 'delete') {
      return { kind, id, call: this.#call('DELETE', `${PRODUCTS}/${id}`) };
    }
    if (id !== undefined && kind === 'patch') {
      const fields = changed(text, number);
      return { kind, id, fields, call: this.#call('PATCH', `${PRODUCTS}/${id}`, fields) };
    }
    const repeatable = { 'Idempotency-Key': text };
    if (kind === 'create 20') {
      const items = Array.from({ length: BULK }, (_, index) => made(text, index));
      const call = this.#call('POST', PRODUCTS, { products: items }, repeatable);
      return { kind, sku: text, items, call, repeatable: true };
    }
    const item = made(text, 0);
    const hasKey = this.#random.next() < 0.5;
    const call = this.#call('POST', PRODUCTS, item, hasKey ? repeatable : {});
    return { kind: 'create', sku: text, items: [item], call, repeatable: hasKey };
  }

  #call(method: string, path: string, body?: unknown, headers?: Call['headers']): Call {
    return { method, path, apiKey: this.#apiKey, body, ...(headers && { headers }) };
  }

  /** Notes what an answer promises. */
  #note(pending: Pending, answer: Answer): void {
    this.#acknowledged.set(pending.kind, (this.#acknowledged.get(pending.kind) ?? 0) + 1);
    if (pending.kind === 'delete') {
      this.ledger.rows.delete(pending.id);
      return;
    }
    for (const product of productsOf(answer)) this.ledger.rows.set(product.id, product);
  }
}

/** The products in the answer to a write. */
export function productsOf({ text }: Answer): Shown[] {
  const body: unknown = JSON.parse(text);
  const list = many.safeParse(body);
  return list.success ? list.data.products : [one.parse(body).product];
}

function made(sku: string, index: number): Fields {
  return {
    ...{
      sku,
      title: `Product ${sku} ${index}`,
      description: `Number ${index}. `.repeat(20).trim(),
    },
    ...{ priceCents: index, storeInventoryQuantity: index, storeProductId: `${sku}/${index}` },
  };
}

/** All to one value, so that a half of the change would show. One of them has an index. */
function changed(text: string, number: number): Fields {
  return {
    ...{ title: text, description: text, lastSyncError: text, storeProductId: `changed/${text}` },
    ...{ priceCents: number, serviceInventoryQuantity: number, storeInventoryQuantity: number },
  };
}
