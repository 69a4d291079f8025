/** What a fetch in place of the network was asked for. */
export interface WooCommerceStore {
  readonly fetch: typeof fetch;
  /** The paths, below the API. */
  readonly asked: string[];
}

/** A store without the list of all variations, whose prices are in EUR. @param lists what its paths have */
export function woocommerceStore(
  lists: Readonly<Record<string, readonly object[]>>,
): WooCommerceStore {
  const asked: string[] = [];
  const answer = (path: string, query: URLSearchParams): Response => {
    if (path === '/data/currencies/current') return Response.json({ code: 'EUR' });
    const list = lists[path];
    if (list === undefined) return Response.json({ code: 'rest_no_route' }, { status: 404 });
    const size = Number(query.get('per_page'));
    const start = (Number(query.get('page')) - 1) * size;
    return Response.json(list.slice(start, start + size), {
      headers: {
        'X-WP-Total': String(list.length),
        'X-WP-TotalPages': String(Math.ceil(list.length / size)),
      },
    });
  };
  return {
    asked,
    fetch: (input) => {
      const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input);
      const path = pathname.replace('/wp-json/wc/v3', '');
      asked.push(path);
      return Promise.resolve(answer(path, searchParams));
    },
  };
}

/** A product without variations. */
export const SIMPLE = {
  type: 'simple',
  status: 'publish',
  regular_price: '8.50',
  manage_stock: true,
  stock_quantity: 4,
};

/** Where the store is, for who reads it. */
export const STORE_ENV = {
  WOOCOMMERCE_URL: 'https://shop.example',
  WOOCOMMERCE_KEY: 'ck_1',
  WOOCOMMERCE_SECRET: 'cs_1',
};
