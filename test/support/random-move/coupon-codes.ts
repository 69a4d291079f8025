import type { Answer } from '../brand.ts';
import { resourceOf, resourcesOf } from '../brand.ts';
import type { Actor } from './interleaving.ts';
import { Part } from './part.ts';
import { Possible } from './possible.ts';

interface CouponCode {
  readonly id: string;
  readonly code: Possible;
}

/** The coupon codes. They change hands: a code is unique, so the order in which they are copied matters. */
export class CouponCodes extends Part {
  readonly #all: CouponCode[] = [];

  /** Creates a code, or lets two resources exchange theirs. */
  async write(writer: Actor): Promise<void> {
    const certain = this.#all.filter(({ code }) => code.certain !== undefined);
    const [one, other] = certain.slice(this.chance.below(Math.max(1, certain.length - 1)));
    if (one === undefined || other === undefined || this.chance.happens(0.3)) {
      await this.#create(writer);
    } else {
      await this.#exchange(writer, one, other);
    }
  }

  async #create(writer: Actor): Promise<void> {
    const [code, value] = [new Possible(null), this.brand.newName()];
    const body = { code: value, discountPercent: 1 };
    const answer = await this.brand.change(writer, ['POST', '/coupon-codes', body], [code, value]);
    if (answer) this.#all.push({ id: resourceOf(answer).id, code });
  }

  async #exchange(writer: Actor, one: CouponCode, other: CouponCode): Promise<void> {
    const patch = (to: CouponCode, code: string | null): Promise<Answer | undefined> =>
      this.brand.change(writer, ['PATCH', `/coupon-codes/${to.id}`, { code }], [to.code, code]);
    const [first, second] = [one.code.certain ?? null, other.code.certain ?? null];
    if (!(await patch(one, this.brand.newName()))) return;
    if (await patch(other, first)) await patch(one, second);
  }

  async expectEnd(): Promise<void> {
    const found = resourcesOf(await this.brand.client.send('GET', '/coupon-codes'));
    for (const { id, code } of this.#all) {
      code.expect(found.find((resource) => resource.id === id)?.['code'] ?? null, id);
    }
  }
}
