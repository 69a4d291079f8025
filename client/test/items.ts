/** An item of a product. */
export interface Item {
  readonly sku: string;
  readonly title: string;
  readonly priceCents: number;
}

export function item(sku: string, priceCents = 1): Item {
  return { sku, title: `Product ${sku}`, priceCents };
}

/** So many items, with the SKUs `S-0`, `S-1` and so on. */
export function items(count: number, priceCents = 1): Item[] {
  return Array.from({ length: count }, (_, index) => item(`S-${index}`, priceCents));
}
