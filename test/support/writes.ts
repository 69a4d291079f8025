import type { Answer } from './brand.ts';
import { TestBrand } from './brand.ts';
import { fullCouponCode, fullProduct, fullProfile } from './samples.ts';
import { snapshot } from './snapshot.ts';

const UNKNOWN_ID = '01890a5d-ac96-774b-bcce-b302099a8057';

/** The operations that take a body, each with a valid one. */
export const writes = [
  { method: 'PUT', path: '/profile', valid: fullProfile },
  { method: 'PATCH', path: '/profile', valid: { brand: { contactName: 'Changed' } } },
  { method: 'POST', path: '/products', valid: { ...fullProduct, title: 'Changed' } },
  { method: 'PUT', path: '/products/:id', valid: { ...fullProduct, title: 'Changed' } },
  { method: 'PATCH', path: '/products/:id', valid: { title: 'Changed' } },
  { method: 'POST', path: '/coupon-codes', valid: { ...fullCouponCode, code: 'CHANGED' } },
  { method: 'PUT', path: '/coupon-codes/:id', valid: { ...fullCouponCode, code: 'CHANGED' } },
  { method: 'PATCH', path: '/coupon-codes/:id', valid: { description: 'Changed' } },
] as const;

/** The writes that name a resource. */
export const itemWrites = writes.filter(({ path }) => path.endsWith('/:id'));

/** A brand with a profile, a product and a coupon code, to check that nothing changes. */
export class FurnishedBrand {
  readonly brand: TestBrand;
  readonly #ids: Readonly<Record<string, string>>;

  private constructor(brand: TestBrand, ids: Readonly<Record<string, string>>) {
    this.brand = brand;
    this.#ids = ids;
  }

  static async create(): Promise<FurnishedBrand> {
    const brand = await TestBrand.create();
    const product = await brand.create('/products', fullProduct);
    const couponCode = await brand.create('/coupon-codes', fullCouponCode);
    return new FurnishedBrand(brand, { products: product.id, 'coupon-codes': couponCode.id });
  }

  /** Returns a path with the id of a resource of this brand instead of `:id`. */
  path(path: string): string {
    const [, collection = ''] = path.split('/');
    return path.replace(':id', this.#ids[collection] ?? '');
  }

  /** Sends a body unchanged, with an id of this brand in the path. */
  async write(
    method: string,
    path: string,
    raw: BodyInit,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return this.brand.send(method, this.path(path), undefined, { raw, headers });
  }

  /** Returns all of the brand's data in D1, as text. */
  async everything(): Promise<string> {
    return JSON.stringify(await snapshot(this.brand.issued.brandId));
  }
}

/** Returns a path with ids that no resource of the brand has. */
export function unknownPaths(path: string): string[] {
  return [UNKNOWN_ID, 'abc', UNKNOWN_ID.toUpperCase()].map((id) => path.replace(':id', id));
}

/** Returns a JSON object padded with white space to a length in bytes. */
export function padded(value: unknown, length: number): string {
  const text = JSON.stringify(value);
  return text.slice(0, -1) + ' '.repeat(length - text.length) + '}';
}

/** Returns a body that is sent in pieces, without a length. */
export function streamed(text: string, pieces = 7): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const size = Math.ceil(bytes.length / pieces);
  let sent = 0;
  return new ReadableStream({
    type: 'bytes',
    pull(controller) {
      if (sent >= bytes.length) {
        controller.close();
        return;
      }
      controller.enqueue(bytes.slice(sent, sent + size));
      sent += size;
    },
  });
}
