import { encodeCursor } from '../../src/collection/cursor.ts';
import { products } from '../../src/resources/products.ts';
import type { Connection, Own } from './connection.ts';
import { PRODUCTS } from './connection.ts';

const PAGE = 50;

/** Reads one of its own products: it must be as it was left; or with its ETag, which must still be good. */
export async function get(connection: Connection, { product, etag }: Own): Promise<void> {
  const path = `${PRODUCTS}/${product.id}`;
  if (connection.random.next() < 0.1) {
    const headers = { 'If-None-Match': etag };
    await connection.ask({
      ...{ operation: 'get if changed', method: 'GET', path, headers, expected: 304 },
    });
    return;
  }
  const operation = 'get one';
  const answer = await connection.ask({ operation, method: 'GET', path, expected: 200 });
  if (!answer) return;
  connection.checkFields(operation, connection.shown(answer), product);
  connection.check(operation, answer.headers.etag, etag);
}

/** Reads the page after one of its own products: what lies in it must be there. */
export async function page(connection: Connection, { product }: Own): Promise<void> {
  const cursor = encodeCursor(products, product.id);
  const [operation, path] = ['page of 50', `${PRODUCTS}?limit=${PAGE}&cursor=${cursor}`];
  const answer = await connection.ask({ operation, method: 'GET', path, expected: 200 });
  if (!answer) return;
  const isLast = answer.headers['link'] === undefined;
  const shown = connection.listed(
    ...[operation, answer],
    (id, last) => id > product.id && (isLast || id <= last),
  );
  if (shown.length > PAGE || (!isLast && shown.length < PAGE)) {
    connection.fail(operation, `${shown.length} products`);
  }
}

/** Reads all products of the brand: all of its own must be there. */
export async function completeList(connection: Connection): Promise<void> {
  const operation = 'complete list';
  const answer = await connection.ask({ operation, method: 'GET', path: PRODUCTS, expected: 200 });
  if (answer) connection.listed(operation, answer, () => true);
}
