import { setTimeout } from 'node:timers/promises';
import type { BrandClient, ChangesPage, CouponCode, Product } from '../../../client/src/index.ts';
import type { Traffic } from './traffic.ts';

/** A collection as a follower has it. */
export class Copy<T extends { readonly id: string }> {
  readonly resources = new Map<string, T>();
  #since: string | undefined;

  /** Reads all changes since its token, and saves the token after each page. */
  async catchUp(
    changes: (since: string | undefined) => AsyncGenerator<ChangesPage<T>, void>,
  ): Promise<void> {
    for await (const { changed, deleted, since } of changes(this.#since)) {
      for (const resource of changed) this.resources.set(resource.id, resource);
      for (const id of deleted) this.resources.delete(id);
      this.#since = since;
    }
  }
}

/** A client that keeps copies of both collections by their changes. */
export class Following {
  readonly products = new Copy<Product>();
  readonly couponCodes = new Copy<CouponCode>();
  #client: BrandClient;
  readonly #limit: number;
  readonly #traffic: Traffic;
  #polling: Promise<void> | undefined;

  /** @param limit the number of changes of a page */
  constructor(client: BrandClient, limit: number, traffic: Traffic) {
    this.#client = client;
    this.#limit = limit;
    this.#traffic = traffic;
  }

  /** Polls until it is stopped. */
  async run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      this.#polling = this.catchUp();
      await this.#polling;
      await setTimeout(200);
    }
  }

  /** Goes on with another key, and returns when the one before is no longer used. */
  async use(client: BrandClient): Promise<void> {
    this.#client = client;
    await this.#polling;
  }

  async catchUp(): Promise<void> {
    const limit = this.#limit;
    await this.#traffic.insist(async () => {
      const { products, couponCodes } = this.#client;
      await this.products.catchUp((since) => products.changes({ since, limit }));
      await this.couponCodes.catchUp((since) => couponCodes.changes({ since, limit }));
    });
  }
}
