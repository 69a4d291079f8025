import { isDeepStrictEqual } from 'node:util';
import { setTimeout } from 'node:timers/promises';
import type { CouponCode, Product, Profile } from '../../../client/src/index.ts';
import { BrandClient } from '../../../client/src/index.ts';
import type { Traffic } from './traffic.ts';

/** The number of products of a writer above which it deletes more than it creates. */
const ENOUGH = 300;

/** A client that writes to its own resources, and knows what the service must have of them. */
export class Writer {
  readonly products = new Map<string, Product>();
  readonly couponCodes = new Map<string, CouponCode>();
  /** The profile, if this writer is the one that changes it. */
  profile: Profile | undefined;
  readonly #name: string;
  readonly #client: BrandClient;
  readonly #traffic: Traffic;
  #number = 0;

  constructor(name: string, client: BrandClient, traffic: Traffic) {
    this.#name = name;
    this.#client = client;
    this.#traffic = traffic;
  }

  /** Creates products, so that a move takes a while. */
  async fill(count: number): Promise<void> {
    while (this.products.size < count) await this.#createMany(100);
  }

  /** Writes and reads until it is stopped. A write under way is completed. */
  async run(stop: AbortSignal, pause: number): Promise<void> {
    while (!stop.aborted) {
      await this.#step();
      await setTimeout(pause * Math.random());
    }
  }

  async #step(): Promise<void> {
    const product = anyOf(this.products);
    const isFull = this.products.size > ENOUGH;
    const chance = Math.random();
    if (product === undefined || chance < 0.1) return this.#createMany(isFull ? 1 : 10);
    if (chance < 0.3) return this.#read(product);
    if (chance < 0.5) return this.#update(product);
    if (chance < 0.6) return this.#replace(product);
    if (chance < (isFull ? 0.8 : 0.65)) return this.#delete(product);
    if (chance < 0.85) return this.#push();
    if (chance < 0.97 || this.profile === undefined) return this.#couponCode();
    return this.#changeProfile();
  }

  /** Reads what it has written. */
  async #read({ id }: Product): Promise<void> {
    const { data } = await this.#traffic.insist(() => this.#client.products.get(id));
    const known = this.products.get(id);
    if (isDeepStrictEqual(data, known)) return;
    this.#traffic.wrong.push(
      `${this.#name} reads ${JSON.stringify(data)} after it wrote ${JSON.stringify(known)}`,
    );
  }

  async #createMany(count: number): Promise<void> {
    const inputs = Array.from({ length: count }, () => this.#input());
    const idempotencyKey = crypto.randomUUID();
    this.#keep(
      await this.#acknowledged(() => this.#client.products.createMany(inputs, { idempotencyKey })),
    );
  }

  async #update({ id }: Product): Promise<void> {
    const { title, priceCents } = this.#input();
    const patch = { title, priceCents, description: 'x'.repeat(Math.random() * 2000) };
    const { data } = await this.#acknowledged(() => this.#client.products.update(id, patch));
    this.#keep([data]);
  }

  async #replace({ id, sku }: Product): Promise<void> {
    const input = { ...this.#input(), sku };
    const { data } = await this.#acknowledged(() => this.#client.products.replace(id, input));
    this.#keep([data]);
  }

  async #delete({ id }: Product): Promise<void> {
    await this.#acknowledged(
      () => this.#client.products.delete(id).then(() => true),
      ({ status }) => (status === 404 ? true : undefined),
    );
    this.products.delete(id);
  }

  /** Changes some products, creates one, and deletes one. */
  async #push(): Promise<void> {
    const known = [...this.products.values()].slice(0, 12);
    const [gone, ...changed] = known.flatMap(({ sku }) => sku ?? []);
    const items = [
      ...changed.map((sku) => ({ ...this.#input(), sku })),
      this.#input(),
      ...(gone === undefined ? [] : [{ sku: gone, deleted: true } as const]),
    ];
    const idempotencyKey = crypto.randomUUID();
    const results = await this.#acknowledged(() =>
      this.#client.products.push(items, { match: 'sku', idempotencyKey }),
    );
    for (const result of results) {
      if (result.status === 'deleted') this.products.delete(result.id);
      else if (result.status === 'refused') this.#traffic.wrong.push(result.error);
      else if (result.resource !== undefined) this.#keep([result.resource]);
    }
  }

  /** Creates or deletes a code, counts its use, or lets two codes change hands. */
  async #couponCode(): Promise<void> {
    const { couponCodes } = this.#client;
    const code = anyOf(this.couponCodes);
    const chance = Math.random();
    const create = async (name: string): Promise<void> => {
      const input = { code: name, discountPercent: 10 };
      const idempotencyKey = crypto.randomUUID();
      const { data } = await this.#acknowledged(() =>
        couponCodes.create(input, { idempotencyKey }),
      );
      this.couponCodes.set(data.id, data);
    };
    if (code === undefined || (chance < 0.4 && this.couponCodes.size < 100)) {
      return create(this.#next());
    }
    if (chance < 0.6) {
      await this.#acknowledged(
        () => couponCodes.delete(code.id).then(() => true),
        ({ status }) => (status === 404 ? true : undefined),
      );
      this.couponCodes.delete(code.id);
      return;
    }
    const patch = chance < 0.8 ? { currentUses: code.currentUses + 1 } : { code: this.#next() };
    const { data } = await this.#acknowledged(() => couponCodes.update(code.id, patch));
    this.couponCodes.set(data.id, data);
    // Another one takes the code that was given up.
    if (data.code !== code.code) await create(code.code);
  }

  async #changeProfile(): Promise<void> {
    const patch = { brand: { brandName: this.#next() } };
    const { data } = await this.#acknowledged(() => this.#client.updateProfile(patch));
    this.profile = data;
  }

  async #acknowledged<T>(...call: Parameters<typeof Traffic.prototype.insist<T>>): Promise<T> {
    const answer = await this.#traffic.insist(...call);
    this.#traffic.acknowledged++;
    return answer;
  }

  #keep(products: readonly Product[]): void {
    for (const product of products) this.products.set(product.id, product);
  }

  #input(): { title: string; sku: string; priceCents: number } {
    const sku = this.#next();
    return { title: `Product ${sku}`, sku, priceCents: this.#number };
  }

  #next(): string {
    return `${this.#name}-${++this.#number}`;
  }
}

/** Returns one of the resources; undefined if there are none. */
function anyOf<T>(resources: ReadonlyMap<string, T>): T | undefined {
  const all = [...resources.values()];
  return all[Math.floor(Math.random() * all.length)];
}
