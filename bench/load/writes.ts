import * as z from 'zod';
import type { Connection, Own } from './connection.ts';
import { PRODUCTS } from './connection.ts';

const BULK = 20;

const many = z.object({ products: z.array(z.looseObject({ id: z.string() })) });

function newProduct(text: string, number: number): { title: string } & Record<string, unknown> {
  return {
    title: `Product ${text}`,
    ...{ description: `Of ${text}.`.repeat(20), sku: text, priceCents: number },
    ...{
      storeProductId: `gid://shopify/Product/${text}`,
      imageUrls: ['https://example.com/1.jpg'],
    },
  };
}

/** Creates a product. */
export async function create(connection: Connection): Promise<void> {
  const { text, number } = connection.unique();
  const [operation, body] = ['create', newProduct(text, number)];
  const call = { operation, method: 'POST', path: PRODUCTS, body };
  const answer = await connection.ask({ ...call, expected: 201 });
  if (answer) connection.keep(operation, answer, body);
}

/** Creates with an Idempotency-Key, and repeats it: the same answer comes again. With another body it is refused. */
export async function createTwice(connection: Connection): Promise<void> {
  const { text, number } = connection.unique();
  const body = newProduct(text, number);
  const headers = { 'Idempotency-Key': text };
  const call = { method: 'POST', path: PRODUCTS, body, headers };
  const first = await connection.ask({ ...call, operation: 'create once', expected: 201 });
  if (!first) return;
  connection.keep('create once', first, body);
  const again = await connection.ask({ ...call, operation: 'create again', expected: 201 });
  if (again) {
    connection.check('create again', again.headers['idempotent-replayed'], 'true');
    connection.check('create again', again.text, first.text);
  }
  const other = { ...call, body: { ...body, title: 'Another' } };
  await connection.ask({ ...other, operation: 'create other', expected: 422 });
}

/** Creates twenty at once, with an Idempotency-Key or without. */
export async function createMany(connection: Connection): Promise<void> {
  const { text, number } = connection.unique();
  const operation = 'create 20';
  const products = Array.from({ length: BULK }, (_, index) =>
    newProduct(`${text}-${index}`, number + index),
  );
  const headers: Record<string, string> =
    connection.random.next() < 0.5 ? { 'Idempotency-Key': text } : {};
  const call = { operation, method: 'POST', path: PRODUCTS, body: { products }, headers };
  const answer = await connection.ask({ ...call, expected: 201 });
  if (!answer) return;
  const made = many.parse(JSON.parse(answer.text)).products;
  connection.check(operation, made.length, BULK);
  for (const [index, product] of made.entries()) {
    connection.checkFields(operation, product, products[index] ?? {});
    // The first revision of a product is its id.
    connection.own.set(product.id, { product, etag: `"${product.id}"` });
  }
}

/** Changes one of its own products. */
export async function patch(connection: Connection, own: Own): Promise<void> {
  await change(connection, own, 'patch', {});
}

/** Changes what nobody else has changed; then again as if it had not, which is refused. */
export async function patchIfMatch(connection: Connection, own: Own): Promise<void> {
  const headers = { 'If-Match': own.etag };
  if (!(await change(connection, own, 'patch if unchanged', headers))) return;
  await connection.ask({
    ...{ operation: 'patch too late', method: 'PATCH', path: `${PRODUCTS}/${own.product.id}` },
    ...{ headers, body: { priceCents: 1 }, expected: 412 },
  });
}

async function change(
  connection: Connection,
  { product, etag }: Own,
  operation: string,
  headers: Readonly<Record<string, string>>,
): Promise<boolean> {
  const { text, number } = connection.unique();
  const body = { title: `Changed ${text}`, priceCents: number, storeInventoryQuantity: number };
  const path = `${PRODUCTS}/${product.id}`;
  const answer = await connection.ask({
    ...{ operation, method: 'PATCH', path, headers, body, expected: 200 },
  });
  if (!answer) return false;
  const { updatedAt } = connection.shown(answer);
  connection.keep(operation, answer, { ...product, ...body, updatedAt });
  if (answer.headers.etag === etag) connection.fail(operation, 'The ETag is as it was.');
  return true;
}

/** Deletes one of its own products. */
export async function remove(connection: Connection, { product: { id } }: Own): Promise<void> {
  const path = `${PRODUCTS}/${id}`;
  const operation = 'delete';
  if (!(await connection.ask({ operation, method: 'DELETE', path, expected: 200 }))) return;
  connection.own.delete(id);
  connection.gone.add(id);
  if (connection.random.next() < 0.3) {
    await connection.ask({ operation: 'get deleted', method: 'GET', path, expected: 404 });
  }
}
