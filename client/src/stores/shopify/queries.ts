// What is asked of Shopify's Admin API. Tests validate each of them against Shopify's own schema of this version, of which
// client/test/command/shopify/reduce-schema.ts has written the part that they use.

/** The version of the API: https://shopify.dev/docs/api/usage/versioning. Shopify serves one for a year. */
export const API_VERSION = '2026-10';

export const ABOUT_SHOP = `query AboutShop {
  shop { currencyCode primaryDomain { host } }
  currentAppInstallation { accessScopes { handle } }
}`;

const IMAGE = '... on MediaImage { image { url } }';

const VARIANT = `
  id
  position
  sku
  price
  compareAtPrice
  inventoryQuantity
  selectedOptions { value }
  inventoryItem { tracked }
`;

/** For a bulk operation, which takes `edges` only. */
export const ALL_PRODUCTS = `{
  products {
    edges {
      node {
        id
        title
        handle
        descriptionHtml
        status
        updatedAt
        hasOnlyDefaultVariant
        variantsCount { count }
        mediaCount { count }
        featuredMedia { ${IMAGE} }
        media { edges { node { id ${IMAGE} } } }
        variants { edges { node { ${VARIANT} media(first: 1) { edges { node { id ${IMAGE} } } } } } }
      }
    }
  }
}`;

const ALL_CODES = 'codes { edges { node { id code asyncUsageCount } } }';

/** Four kinds of discounts have codes, and a bulk operation takes five connections. */
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
            codesCount { count precision }
            ${ALL_CODES}
          }
          ... on DiscountCodeBxgy { codesCount { count precision } ${ALL_CODES} }
          ... on DiscountCodeFreeShipping { codesCount { count precision } ${ALL_CODES} }
          ... on DiscountCodeApp { codesCount { count precision } ${ALL_CODES} }
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

/** The operations of this app that have not ended. */
export const RUNNING = `query Running {
  bulkOperations(first: 10, query: "operation_type:query") {
    nodes { id status createdAt }
  }
}`;

const PAGE_INFO = 'pageInfo { hasNextPage endCursor }';
const PAGE_OF_CODES = `codes(first: 250, after: $after) { nodes { id code asyncUsageCount } ${PAGE_INFO} }`;

/**
 * One page of a list that belongs to something, such as the variants of a product. Bulk operations were seen to give 100 of a
 * longer one, and to say that all is well: https://github.com/airbytehq/airbyte/issues/78512.
 */
export const PAGES = {
  variants: `query Variants($id: ID!, $after: String) {
    node(id: $id) {
      ... on Product {
        variants(first: 100, after: $after) { nodes { ${VARIANT} media(first: 1) { nodes { id ${IMAGE} } } } ${PAGE_INFO} }
      }
    }
  }`,
  media: `query Media($id: ID!, $after: String) {
    node(id: $id) { ... on Product { media(first: 100, after: $after) { nodes { id ${IMAGE} } ${PAGE_INFO} } } }
  }`,
  codes: `query Codes($id: ID!, $after: String) {
    node: discountNode(id: $id) {
      discount {
        ... on DiscountCodeBasic { ${PAGE_OF_CODES} }
        ... on DiscountCodeBxgy { ${PAGE_OF_CODES} }
        ... on DiscountCodeFreeShipping { ${PAGE_OF_CODES} }
        ... on DiscountCodeApp { ${PAGE_OF_CODES} }
      }
    }
  }`,
} as const;

export const NODES = 'query Nodes($ids: [ID!]!) { nodes(ids: $ids) { id } }';

/** Returns a query for so many codes, whose variables and results are `c0`, `c1` and so on. */
export function discountsByCode(count: number): string {
  const names = Array.from({ length: count }, (_, index) => `c${index}`);
  const variables = names.map((name) => `$${name}: String!`).join(', ');
  const fields = names.map((name) => `${name}: codeDiscountNodeByCode(code: $${name}) { id }`);
  return `query DiscountsByCode(${variables}) { ${fields.join(' ')} }`;
}
