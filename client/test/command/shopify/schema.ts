import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type {
  DocumentNode,
  FieldNode,
  GraphQLNamedType,
  GraphQLOutputType,
  SelectionSetNode,
} from 'graphql';
import {
  buildSchema,
  getDirectiveValues,
  getNamedType,
  getOperationAST,
  GraphQLDirective,
  isObjectType,
  Kind,
  NoDeprecatedCustomRule,
  OperationTypeNode,
  parse,
  print,
  specifiedRules,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';

type Maybe<T> = T | null | undefined;

const path = fileURLToPath(new URL('schema.graphql', import.meta.url).href);

/** Shopify's own schema, reduced: see reduce-schema.ts. */
export const schema = buildSchema(readFileSync(path, 'utf8'));

const access =
  schema.getDirective('access') ?? new GraphQLDirective({ name: 'none', locations: [] });

/** A query, and what is wrong with it by the schema, deprecated fields included. */
interface Checked {
  readonly document: DocumentNode;
  readonly faults: readonly string[];
}

const checked = new Map<string, Checked>();

/** Parses and validates a query, and remembers it, because the same few come again and again. @throws GraphQLError if it is none */
export function checkedQuery(text: string): Checked {
  const known = checked.get(text);
  if (known !== undefined) return known;
  const document = parse(text);
  const rules = [...specifiedRules, NoDeprecatedCustomRule];
  const faults = validate(schema, document, rules).map(({ message }) => message);
  checked.set(text, { document, faults });
  return { document, faults };
}

/** Returns the scopes that a query lacks, with the field that needs one of them. */
export function missingScopes(document: DocumentNode, granted: readonly string[]): string[] {
  const has = (scopes: readonly string[]): boolean =>
    scopes.some((one) => granted.includes(one) || granted.includes(one.replace('read', 'write')));
  const missing: string[] = [];
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      Field({ name }) {
        const needs = [types.getFieldDef()?.astNode, types.getParentType()?.astNode];
        const type = getNamedType(types.getType());
        for (const node of [...needs, type?.astNode]) {
          const scopes = node == null ? undefined : getDirectiveValues(access, node)?.['scopes'];
          if (!Array.isArray(scopes) || has(scopes.map(String))) continue;
          missing.push(`${name.value}: ${scopes.join(' or ')}`);
        }
      },
    }),
  );
  return [...new Set(missing)];
}

/**
 * Returns why a query is none for a bulk operation:
 * https://shopify.dev/docs/api/usage/bulk-operations/queries#operation-restrictions.
 */
export function bulkFaultsOf(document: DocumentNode): string[] {
  const faults: string[] = [];
  const types = new TypeInfo(schema);
  const isConnection = (): boolean => isOf('Connection', types.getType());
  let [depth, count] = [0, 0];
  visit(
    document,
    visitWithTypeInfo(types, {
      OperationDefinition({ selectionSet: { selections }, variableDefinitions = [] }) {
        const [root] = selections;
        if (selections.length > 1) faults.push('Bulk queries have one root field.');
        if (root?.kind === Kind.FIELD && /^nodes?$/.test(root.name.value)) {
          faults.push('Bulk queries cannot use the top-level node fields.');
        }
        if (variableDefinitions.length > 0) faults.push('Bulk queries have no variables.');
      },
      Field: {
        enter({ name: { value: name }, selectionSet }) {
          if (isOf('Connection', types.getParentType()) && name !== 'edges') {
            faults.push(`Bulk queries use edges, and not ${name}.`);
          }
          if (name === 'node' && selectionSet !== undefined) {
            const own = selectionSet.selections.map((one) => print(one));
            if (own.some((one) => /\bedges\b/.test(one)) && !own.includes('id')) {
              faults.push('A node with connections needs its id.');
            }
          }
          if (!isConnection()) return;
          depth++;
          count++;
          if (depth > 3) faults.push('Bulk queries have two levels of connections below the root.');
        },
        leave() {
          if (isConnection()) depth--;
        },
      },
    }),
  );
  if (count === 0) faults.push('Bulk queries need a connection.');
  if (count > 5) faults.push('Bulk queries have at most five connections.');
  return faults;
}

/** Whether the name of a type has this end. */
function isOf(end: string, type: GraphQLOutputType | Maybe<GraphQLNamedType>): boolean {
  return String(getNamedType(type)).endsWith(end);
}

/** Returns the cost of a query, about as Shopify counts it: https://shopify.dev/docs/api/usage/limits. */
export function costOf(document: DocumentNode, { ids }: Record<string, unknown>): number {
  const operation = getOperationAST(document);
  if (operation?.operation !== OperationTypeNode.QUERY) return 10;
  const times = Array.isArray(ids) ? ids.length : 1;
  return times * costIn(operation.selectionSet, schema.getQueryType());
}

function costIn({ selections }: SelectionSetNode, type: Maybe<GraphQLNamedType>): number {
  const fields = selections.map((one) => (one.kind === Kind.FIELD ? costOfField(one, type) : 0));
  const fragments = selections.map((one) =>
    one.kind === Kind.INLINE_FRAGMENT
      ? costIn(one.selectionSet, schema.getType(one.typeCondition?.name.value ?? ''))
      : 0,
  );
  // An object is of one type: the dearest fragment counts.
  return fields.reduce((sum, cost) => sum + cost, 0) + Math.max(0, ...fragments);
}

function costOfField(field: FieldNode, parent: Maybe<GraphQLNamedType>): number {
  const fields = isObjectType(parent) ? parent.getFields() : {};
  const type = fields[field.name.value]?.type;
  if (field.selectionSet === undefined || isOf('PageInfo', type)) return 0;
  const inner = costIn(field.selectionSet, getNamedType(type));
  if (isOf('Edge', type)) return inner;
  if (!isOf('Connection', type)) return 1 + inner;
  const first = field.arguments?.find(({ name }) => name.value === 'first')?.value;
  return 2 + inner * (first?.kind === Kind.INT ? Number(first.value) : NaN);
}
