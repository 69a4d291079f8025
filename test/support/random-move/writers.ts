import { expect } from 'vitest';
import { partOf } from '../field-tests.ts';
import { CouponCodes } from './coupon-codes.ts';
import type { Actor } from './interleaving.ts';
import { Part } from './part.ts';
import { Possible } from './possible.ts';
import { Products } from './products.ts';

/** The clients that write. */
export class Writers extends Part {
  readonly #products = new Products(this.brand, this.chance);
  readonly #codes = new CouponCodes(this.brand, this.chance);
  readonly #name = new Possible('Test brand');

  /**
   * Writes something.
   * @param isFirst only one writes the codes and the profile: of several, nobody knows who was the last
   */
  async write(writer: Actor, isFirst: boolean): Promise<void> {
    const product = this.#products.any(writer);
    const kind = product === undefined ? 0 : this.chance.below(8);
    if (product === undefined || kind === 0) await this.#products.create(writer);
    else if (kind === 1) await this.#products.changeIfMatch(writer, product);
    else if (kind === 2) await this.#products.change(writer, product);
    else if (kind === 3) await this.#products.delete(writer, product);
    else if (kind === 4) await this.#products.push(writer);
    else if (isFirst && kind === 5) await this.#rename(writer);
    else if (isFirst) await this.#codes.write(writer);
  }

  async #rename(writer: Actor): Promise<void> {
    const brandName = this.brand.newName();
    const body = { brand: { brandName } };
    await this.brand.change(writer, ['PATCH', '/profile', body], [this.#name, brandName]);
  }

  async expectEnd(): Promise<void> {
    const { status, text, body } = await this.brand.client.send('GET', '/profile');
    expect(status, text).toBe(200);
    this.#name.expect(partOf(body, 'brand')['brandName'], 'the name of the brand');
    await this.#products.expectEnd();
    await this.#codes.expectEnd();
  }
}
