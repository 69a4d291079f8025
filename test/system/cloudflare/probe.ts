/** A request and what came of it, without what differs between two brands: ids and times. */
type Answer = readonly [request: string, status: number, body: string];

/**
 * Sends the same requests each time: what clients of any version do. Two states of the tables that answer alike are the same
 * to the code that was asked.
 */
export async function probe(baseUrl: string, apiKey: string): Promise<Answer[]> {
  const answers: Answer[] = [];
  const send = async (method: string, path: string, body?: object): Promise<string> => {
    const response = await fetch(`${baseUrl}/api/brand/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    answers.push([`${method} ${plain(path)}`, response.status, plain(text)]);
    return text;
  };
  const idIn = (text: string): string => /"id":"([^"]+)"/.exec(text)?.[1] ?? 'none';

  await send('GET', '/profile');
  await send('PATCH', '/profile', { connection: { status: 'CONNECTED' } });
  await send('PUT', '/profile', { brand: { brandName: 'Probe' }, connection: {} });
  const resources: readonly [path: string, first: object, second: object, invalid: object][] = [
    [
      '/products',
      { title: 'Rope', priceCents: 1, storeProductId: 'gid://shopify/Product/1' },
      { title: 'Cord', priceCents: 2 },
      { title: '', priceCents: -1 },
    ],
    [
      '/coupon-codes',
      { code: 'SAVE10', discountPercent: 10 },
      { code: 'SAVE20', discountPercent: 20, maxUses: 5 },
      { code: 'save10', discountPercent: 10 },
    ],
  ];
  for (const [path, first, second, invalid] of resources) {
    const item = `${path}/${idIn(await send('POST', path, first))}`;
    await send('POST', path, second);
    await send('POST', path, invalid);
    await send('GET', item);
    await send('PATCH', item, { discountPercent: 5 });
    await send('PUT', item, { ...second, ...first });
    await send('GET', path);
    await send('GET', `${path}?limit=1`);
    await send('DELETE', item);
    await send('DELETE', item);
    await send('GET', path);
  }
  return answers;
}

function plain(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'TIME');
}
