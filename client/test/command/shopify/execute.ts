import type { DocumentNode, GraphQLFieldResolver } from 'graphql';
import { execute, getNamedType, GraphQLError } from 'graphql';
import type { Catalogue, ShopDiscount, ShopObject } from './catalogue.ts';
import { schema } from './schema.ts';

// Answers queries about a catalogue, as Shopify's schema describes it.

/** A JSON object. */
export type Json = Record<string, unknown>;

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What the root of a query has beside the catalogue. */
export type Roots = Readonly<Record<string, unknown>>;

/** What lists lack. */
export interface Hidden {
  /** The ids of what no list gives, though the shop has it. */
  hidden?: ReadonlySet<unknown>;
  /** Whether the shop does not count it either. */
  isUncounted?: boolean;
}

/** Returns the data of a query. @throws GraphQLError if it is wrong */
export async function dataOf(
  document: DocumentNode,
  catalogue: Catalogue,
  { variables = {}, roots = {} }: { variables?: Json; roots?: Roots } = {},
): Promise<Json> {
  const { data, errors } = await execute({
    schema,
    document,
    variableValues: variables,
    rootValue: { ...rootOf(catalogue), ...roots },
    fieldResolver: resolve,
  });
  if (errors?.[0] !== undefined) throw errors[0];
  // graphql-js makes objects without a prototype.
  const plain: unknown = JSON.parse(JSON.stringify(data));
  return isJson(plain) ? plain : {};
}

/** Returns the lines of a bulk operation: parents, each before what belongs to it. */
export async function linesOf(
  document: DocumentNode,
  catalogue: Catalogue,
  hidden: Hidden = {},
): Promise<Json[]> {
  const data = await dataOf(document, catalogue, { roots: { ...hidden, isBulk: true } });
  const lines: Json[] = [];
  for (const connection of Object.values(data)) addNodes(connection, undefined, lines);
  return lines;
}

function addNodes(connection: unknown, parent: unknown, lines: Json[]): void {
  for (const edge of listOf(isJson(connection) ? connection['edges'] : [])) {
    const node = isJson(edge) && isJson(edge['node']) ? edge['node'] : {};
    const nested: unknown[] = [];
    const line = withoutConnections(node, nested);
    lines.push(parent === undefined ? line : { ...line, __parentId: parent });
    for (const one of nested) addNodes(one, node['id'], lines);
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function withoutConnections(object: Json, nested: unknown[]): Json {
  const rest: Json = {};
  for (const [name, value] of Object.entries(object)) {
    if (isJson(value) && 'edges' in value) nested.push(value);
    else rest[name] = isJson(value) ? withoutConnections(value, nested) : value;
  }
  return rest;
}

/** The id of something in any of the types that Shopify calls it by. */
function digitsOf(id: unknown): string {
  return /\d+$/.exec(String(id))?.[0] ?? '';
}

function rootOf(catalogue: Catalogue): Roots {
  const discountOf = (id: unknown): ShopDiscount | undefined =>
    catalogue.discounts.find((one) => digitsOf(one.id) === digitsOf(id));
  const nodeOf = (id: unknown): ShopObject | null => {
    if (!/^gid:\/\/shopify\/\w+\/\d+$/.test(String(id))) {
      throw new GraphQLError(`Invalid global id '${String(id)}'`);
    }
    if (String(id).includes('/DiscountCodeNode/')) {
      return discountOf(id) === undefined
        ? null
        : { __typename: 'DiscountCodeNode', id: String(id) };
    }
    const all = catalogue.products.flatMap((one) => [one, ...one.variants]);
    return all.find((one) => one.id === id) ?? null;
  };
  return {
    products: () => catalogue.products,
    discountNodes: ({ query }: Json) => {
      if (query !== 'method:code') return catalogue.discounts;
      return catalogue.discounts.filter(
        ({ discount }) => !discount.__typename.includes('Automatic'),
      );
    },
    discountNode: ({ id }: Json) => discountOf(id) ?? null,
    node: ({ id }: Json) => nodeOf(id),
    nodes: ({ ids }: Json) => (Array.isArray(ids) ? ids.map(nodeOf) : []),
    codeDiscountNodeByCode: ({ code }: Json) => {
      const wanted = String(code).toLowerCase();
      const found = catalogue.discounts.find(({ discount }) =>
        discount.codes?.some((one) => String(one['code']).toLowerCase() === wanted),
      );
      return found === undefined
        ? null
        : { id: `gid://shopify/DiscountCodeNode/${digitsOf(found.id)}` };
    },
  };
}

const resolve: GraphQLFieldResolver<unknown, unknown, Json> = (source, args, _, info) => {
  const owner = isJson(source) ? source : {};
  const value = owner[info.fieldName];
  const all: unknown = typeof value === 'function' ? Reflect.apply(value, owner, [args]) : value;
  const type = getNamedType(info.returnType).name;
  const root = isJson(info.rootValue) ? info.rootValue : {};
  if (type === 'Count') {
    const counted = listOf(owner[info.fieldName.replace(/Count$/, '')]);
    const { length } = root['isUncounted'] === true ? shownOf(counted, root) : counted;
    return { count: length, precision: 'EXACT' };
  }
  if (info.fieldName === 'featuredMedia') return listOf(owner['media'])[0] ?? null;
  if (!type.endsWith('Connection')) return all;
  const isBulk = root['isBulk'] === true;
  const list = info.fieldName === 'variants' ? listOf(all).map(withPosition) : listOf(all);
  return pageOf(shownOf(list, root), args, isBulk);
};

function shownOf(list: readonly unknown[], { hidden }: Json): readonly unknown[] {
  return hidden instanceof Set
    ? list.filter((one) => !(isJson(one) && hidden.has(one['id'])))
    : list;
}

function withPosition(one: unknown, index: number): unknown {
  return isJson(one) ? { ...one, position: index + 1 } : one;
}

/** @throws GraphQLError if there is no limit, as outside of a bulk operation */
function pageOf(all: readonly unknown[], args: Json, isBulk: boolean): Json {
  const { first, after } = args;
  if (typeof first !== 'number' && !isBulk) {
    throw new GraphQLError('you must provide one of first or last');
  }
  if (typeof first === 'number' && first > 250) {
    throw new GraphQLError(`first cannot exceed 250`);
  }
  const start = typeof after === 'string' ? Number(after) : 0;
  const end = typeof first === 'number' ? start + first : all.length;
  const nodes = all.slice(start, end);
  return {
    nodes,
    edges: nodes.map((node) => ({ node })),
    pageInfo: { hasNextPage: end < all.length, endCursor: String(Math.min(end, all.length)) },
  };
}
