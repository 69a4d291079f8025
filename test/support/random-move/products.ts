import { expect } from 'vitest';
import type { Answer } from '../brand.ts';
import { resourceOf, resourcesOf } from '../brand.ts';
import type { Actor } from './interleaving.ts';
import type { Effect, Request } from './moving-brand.ts';
import { Part } from './part.ts';
import { Possible } from './possible.ts';

/** A product, which only one writer writes. */
interface Product {
  readonly writer: Actor;
  readonly sku: string;
  readonly title: Possible;
  /** undefined if its id is not known. */
  path?: string | undefined;
}

/** A product that exists for certain. */
export interface Existing extends Product {
  path: string;
}

/** The products, each with a SKU and a title of its own. */
export class Products extends Part {
  readonly #all: Product[] = [];

  /** Returns a product of a writer; undefined if none exists for certain. */
  any(writer: Actor): Existing | undefined {
    const existing = this.#certain(writer).filter(
      (product): product is Existing =>
        product.path !== undefined && product.title.certain !== null,
    );
    return existing.length === 0 ? undefined : this.chance.of(existing);
  }

  /** The products of a writer of which the title is certain, also those that do not exist. */
  #certain(writer: Actor): Product[] {
    return this.#all.filter((one) => one.writer === writer && one.title.certain !== undefined);
  }

  #add(writer: Actor): Product {
    const product = { writer, sku: `SKU ${this.brand.newName()}`, title: new Possible(null) };
    this.#all.push(product);
    return product;
  }

  async create(writer: Actor): Promise<void> {
    const [product, title] = [this.#add(writer), this.brand.newName()];
    const description = 'x'.repeat(this.chance.below(300));
    const body = { title, priceCents: 1, sku: product.sku, description };
    const request: Request = ['POST', '/products', body];
    const answer = await this.brand.change(writer, request, [product.title, title]);
    if (answer) product.path = `/products/${resourceOf(answer).id}`;
  }

  async change(writer: Actor, { path, title }: Existing, headers = {}): Promise<void> {
    const value = this.brand.newName();
    await this.brand.change(writer, ['PATCH', path, { title: value }, headers], [title, value]);
  }

  /** Changes a product if it is still as it was read. */
  async changeIfMatch(writer: Actor, product: Existing): Promise<void> {
    const found = await this.brand.send(writer, ['GET', product.path]);
    expect([200, 401, 403, 503], found.text).toContain(found.status);
    if (found.status !== 200) return this.change(writer, product);
    product.title.expect(resourceOf(found)['title'], product.path);
    await this.change(writer, product, { 'If-Match': found.headers.get('ETag') ?? '' });
  }

  async delete(writer: Actor, { path, title }: Existing): Promise<void> {
    await this.brand.change(writer, ['DELETE', path], [title, null]);
  }

  /** Pushes some products of a writer, and a new one. */
  async push(writer: Actor): Promise<void> {
    const title = this.brand.newName();
    const some = this.#certain(writer).filter(() => this.chance.happens(0.4));
    const pushed = [...some, this.#add(writer)].map((product) => {
      const isDeleted = product.title.certain !== null && this.chance.happens(0.3);
      return { product, value: isDeleted ? null : title };
    });
    const products = pushed.map(({ product: { sku }, value }) =>
      value === null ? { sku, deleted: true } : { sku, title, priceCents: 1 },
    );
    const effects = pushed.map(({ product, value }): Effect => [product.title, value]);
    const isKeyed = this.chance.happens(0.6);
    const headers: Record<string, string> = isKeyed ? { 'Idempotency-Key': title } : {};
    const request: Request = ['POST', '/products?match=sku', { products }, headers];
    const answer = await this.brand.change(writer, request, ...effects);
    if (answer === undefined) return;
    if (isKeyed) await this.#expectReplay(writer, request, answer);
    for (const { product } of pushed) await this.#find(writer, product);
  }

  /** Repeats a push, and expects the same answer. */
  async #expectReplay(writer: Actor, request: Request, { body }: Answer): Promise<void> {
    const again = await this.brand.send(writer, request);
    if (again.status >= 300) return;
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect(again.body['results']).toEqual(body['results']);
  }

  /** Looks up the id: a product that was deleted and created again has another one. */
  async #find(writer: Actor, product: Product): Promise<void> {
    const path = `/products?sku=${encodeURIComponent(product.sku)}`;
    const found = await this.brand.send(writer, ['GET', path]);
    const [resource] = found.status === 200 ? resourcesOf(found) : [];
    product.path = resource && `/products/${resource.id}`;
  }

  async expectEnd(): Promise<void> {
    const found = resourcesOf(await this.brand.client.send('GET', '/products'));
    for (const { sku, title } of this.#all) {
      const [product, ...others] = found.filter((resource) => resource['sku'] === sku);
      expect(others, sku).toEqual([]);
      title.expect(product?.['title'] ?? null, sku);
    }
    const skus = new Set<unknown>(this.#all.map(({ sku }) => sku));
    expect(found.filter((resource) => !skus.has(resource['sku']))).toEqual([]);
  }
}
