import { itemOf, textOf } from './item.ts';
import type { Job } from './job.ts';
import { MAYBE_MISSING } from './state.ts';

/** The service has lost or changed products that both sides had, as after a restored backup. */
export class MirrorLossError extends Error {
  override readonly name = 'MirrorLossError';
  /** The SKUs of products that the service does not have any more. */
  readonly lost: readonly string[];
  /** The SKUs of products that the service has changed. */
  readonly changed: readonly string[];

  constructor(lost: readonly string[], changed: readonly string[]) {
    const skus = [
      ...(lost.length > 0 ? [`lost ${lost.join(', ')}`] : []),
      ...(changed.length > 0 ? [`changed ${changed.join(', ')}`] : []),
    ];
    super(`The service has ${skus.join(' and ')}. Run the mirror with a winner.`);
    this.lost = lost;
    this.changed = changed;
  }
}

/** @throws MirrorLossError if the service lacks or has changed what both sides had */
export async function refuseLoss({ products, fields, state }: Job): Promise<void> {
  const texts = new Map<string, string | undefined>();
  for await (const { changed } of products.changes()) {
    for (const product of changed) {
      const item = itemOf(product, fields);
      texts.set(product.id, item && textOf(item, fields));
    }
  }
  const [lost, changed]: [string[], string[]] = [[], []];
  for (const [sku, { id, text }] of state.known) {
    const now = texts.get(id);
    if (!texts.has(id)) lost.push(sku);
    // Without a SKU it is not copied, so that the store loses nothing.
    else if (now !== undefined && text !== MAYBE_MISSING && now !== text) changed.push(sku);
  }
  if (lost.length + changed.length > 0) throw new MirrorLossError(lost, changed);
}
