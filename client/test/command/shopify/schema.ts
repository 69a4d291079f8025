import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type {
  DocumentNode,
  FieldNode,
  GraphQLNamedType,
  GraphQLObjectType,
  SelectionSetNode,
} from 'graphql';
import {
  buildSchema,
  getDirectiveValues,
  getNamedType,
  GraphQLDirective,
  isAbstractType,
  isCompositeType,
  isListType,
  isNonNullType,
  Kind,
  NoDeprecatedCustomRule,
  OperationTypeNode,
  parse,
  specifiedRules,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';

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
  const [root, ...others] = document.definitions.flatMap((one) =>
    one.kind === Kind.OPERATION_DEFINITION ? one.selectionSet.selections : [],
  );
  if (root?.kind !== Kind.FIELD || others.length > 0)
    faults.push('Bulk queries have one root field.');
  if (root?.kind === Kind.FIELD && ['node', 'nodes'].includes(root.name.value)) {
    faults.push('Bulk queries cannot use the top-level node fields.');
  }
  const types = new TypeInfo(schema);
  let [depth, count] = [0, 0];
  visit(
    document,
    visitWithTypeInfo(types, {
      VariableDefinition: () => void faults.push('Bulk queries have no variables.'),
      Field: {
        enter(field) {
          const name = getNamedType(types.getType())?.name ?? '';
          const parent = types.getParentType()?.name ?? '';
          if (parent.endsWith('Connection') && field.name.value !== 'edges') {
            faults.push(`Bulk queries use edges, and not ${field.name.value}.`);
          }
          if (!name.endsWith('Connection')) return;
          depth++;
          count++;
          if (depth > 3) faults.push('Bulk queries have two levels of connections below the root.');
        },
        leave() {
          if ((getNamedType(types.getType())?.name ?? '').endsWith('Connection')) depth--;
        },
      },
    }),
  );
  if (count === 0) faults.push('Bulk queries need a connection.');
  if (count > 5) faults.push('Bulk queries have at most five connections.');
  visit(document, {
    Field({ name, selectionSet }) {
      if (name.value !== 'node' || selectionSet === undefined) return;
      const fields = selectionSet.selections;
      const hasId = fields.some((one) => one.kind === Kind.FIELD && one.name.value === 'id');
      const hasAlias = fields.some((one) => one.kind === Kind.FIELD && one.alias?.value === 'id');
      if (textOf(selectionSet).includes('edges') && (!hasId || hasAlias)) {
        faults.push('A node with connections needs its id.');
      }
    },
  });
  return faults;
}

function textOf(node: SelectionSetNode): string {
  const names: string[] = [];
  visit(node, { Field: ({ name }) => void names.push(name.value) });
  return names.join(' ');
}

/** Returns the cost of a query, about as Shopify counts it: https://shopify.dev/docs/api/usage/limits. */
export function costOf(document: DocumentNode, variables: Record<string, unknown>): number {
  return document.definitions.reduce((sum, one) => {
    if (one.kind !== Kind.OPERATION_DEFINITION) return sum;
    const root =
      one.operation === OperationTypeNode.MUTATION
        ? schema.getMutationType()
        : schema.getQueryType();
    if (root == null) return sum;
    return (
      sum +
      (one.operation === OperationTypeNode.MUTATION
        ? 10
        : costIn(one.selectionSet, root, variables))
    );
  }, 0);
}

function costIn(
  set: SelectionSetNode,
  type: GraphQLNamedType,
  variables: Record<string, unknown>,
): number {
  let own = 0;
  const fragments: number[] = [0];
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) own += costOfField(selection, type, variables);
    else if (selection.kind === Kind.INLINE_FRAGMENT) {
      const name = selection.typeCondition?.name.value;
      const target = name === undefined ? type : schema.getType(name);
      if (target) fragments.push(costIn(selection.selectionSet, target, variables));
    }
  }
  return own + (isAbstractType(type) ? Math.max(...fragments) : fragments.reduce((a, b) => a + b));
}

function costOfField(
  field: FieldNode,
  parent: GraphQLNamedType,
  variables: Record<string, unknown>,
): number {
  const definition = isObject(parent) ? parent.getFields()[field.name.value] : undefined;
  if (definition === undefined || field.selectionSet === undefined) return 0;
  const named = getNamedType(definition.type);
  if (!isCompositeType(named)) return 0;
  const inner = costIn(field.selectionSet, named, variables);
  if (named.name === 'PageInfo') return 0;
  if (named.name.endsWith('Edge')) return inner;
  if (named.name.endsWith('Connection')) {
    const first = field.arguments?.find(({ name }) => name.value === 'first')?.value;
    const size = first?.kind === Kind.INT ? Number(first.value) : NaN;
    return 2 + size * inner;
  }
  const bare = isNonNullType(definition.type) ? definition.type.ofType : definition.type;
  const parentIsConnection = parent.name.endsWith('Connection');
  const ids = variables['ids'];
  const length = isListType(bare) && !parentIsConnection && Array.isArray(ids) ? ids.length : 1;
  return length * (1 + inner);
}

function isObject(type: GraphQLNamedType): type is GraphQLObjectType {
  return 'getFields' in type;
}
