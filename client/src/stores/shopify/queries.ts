// What is asked of Shopify's Admin API. Tests validate each of them against Shopify's own schema of this version, of which
// client/test/command/shopify/reduce-schema.ts has written the part that they use.

/** The version of the API: https://shopify.dev/docs/api/usage/versioning. Shopify serves one for a year. */
export const API_VERSION = '2026-10';

export const ABOUT_SHOP = `query AboutShop {
  shop { currencyCode primaryDomain { host } }
  currentAppInstallation { accessScopes { handle } }
}`;

const MEDIUM = 'id ... on MediaImage { image { url } }';

const PRODUCT = 'id title handle descriptionHtml status updatedAt hasOnlyDefaultVariant';

const VARIANT =
  'id position sku price compareAtPrice inventoryQuantity selectedOptions { value } inventoryItem { tracked }';

/** For a bulk operation, which takes `edges` only. */
export const ALL_PRODUCTS = `{
  products {
    edges {
      node {
        ${PRODUCT}
        variantsCount { count }
        mediaCount { count }
        featuredMedia { ${MEDIUM} }
        media { edges { node { ${MEDIUM} } } }
        variants { edges { node { ${VARIANT} media(first: 1) { edges { node { ${MEDIUM} } } } } } }
      }
    }
  }
}`;

/** Asks for these fields of each kind of discount that has codes. */
function ofEachKind(fields: string): string {
  return ['Basic', 'Bxgy', 'FreeShipping', 'App']
    .map((kind) => `... on DiscountCode${kind} { ${fields} }`)
    .join(' ');
}

const CODE = 'id code asyncUsageCount';

/** A bulk operation takes five connections. */
export const ALL_DISCOUNTS = `{
  discountNodes(query: "method:code") {
    edges {
      node {
        id
        discount {
          __typename
          ... on DiscountCodeBasic {
            title
            status
            startsAt
            endsAt
            usageLimit
            customerGets { value { __typename ... on DiscountPercentage { percentage } } }
          }
          ${ofEachKind(`codesCount { count precision } codes { edges { node { ${CODE} } } }`)}
        }
      }
    }
  }
}`;

const OPERATION = 'id status errorCode objectCount url partialDataUrl';

/** The only mutation: it starts a query, and changes nothing in the shop. */
export const START = `mutation Start($query: String!) {
  bulkOperationRunQuery(query: $query) {
    bulkOperation { ${OPERATION} }
    userErrors { code message }
  }
}`;

export const OPERATION_BY_ID = `query Operation($id: ID!) {
  bulkOperation(id: $id) { ${OPERATION} }
}`;

/** Asks for a page of a list. */
function pageOf(list: string, size: number, fields: string): string {
  return `${list}(first: ${size}, after: $after) { nodes { ${fields} } pageInfo { hasNextPage endCursor } }`;
}

/**
 * One page of a list that belongs to something, such as the variants of a product. Bulk operations were seen to give 100 of a
 * longer one, and to say that all is well: https://github.com/airbytehq/airbyte/issues/78512.
 */
export const PAGES = {
  variants: `query Variants($id: ID!, $after: String) {
    node(id: $id) {
      ... on Product { ${pageOf('variants', 100, `${VARIANT} media(first: 1) { nodes { ${MEDIUM} } }`)} }
    }
  }`,
  media: `query Media($id: ID!, $after: String) {
    node(id: $id) { ... on Product { ${pageOf('media', 100, MEDIUM)} } }
  }`,
  codes: `query Codes($id: ID!, $after: String) {
    node: discountNode(id: $id) { discount { ${ofEachKind(pageOf('codes', 250, CODE))} } }
  }`,
} as const;

export const NODES = 'query Nodes($ids: [ID!]!) { nodes(ids: $ids) { id } }';

/** Returns a query for codes, whose variables and results have these names. */
export function discountsByCode(names: readonly string[]): string {
  const variables = names.map((name) => `$${name}: String!`).join(', ');
  const fields = names.map((name) => `${name}: codeDiscountNodeByCode(code: $${name}) { id }`);
  return `query DiscountsByCode(${variables}) { ${fields.join(' ')} }`;
}
