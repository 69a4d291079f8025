import { readFile } from 'node:fs/promises';
import ts from 'typescript';
import { ResourceMistake } from './openapi/mistake.ts';
import type { Meaning, Meanings, ResourceMeanings } from './openapi/meanings.ts';

/**
 * Reads what the comments of resource files say: above a resource, and above each property of an object `fields`.
 * @throws ResourceMistake for an example that is no JSON
 */
export async function readMeanings(files: readonly string[]): Promise<Meanings> {
  const meanings: Record<string, ResourceMeanings> = {};
  for (const file of files) {
    const text = await readFile(file, 'utf8');
    const visit = (node: ts.Node): void => {
      const fields = fieldsOf(node);
      const resource = fields && resourceAround(fields);
      if (resource) {
        meanings[resource.name] = {
          file,
          text: commentOf(resource.node).text,
          fields: Object.fromEntries(
            fields.properties.map((property) => [
              property.name?.getText() ?? '',
              meaningOf(property, file),
            ]),
          ),
        };
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  }
  return meanings;
}

/** The object literal of `fields: { … }`. */
function fieldsOf(node: ts.Node): ts.ObjectLiteralExpression | undefined {
  return ts.isPropertyAssignment(node) &&
    node.name.getText() === 'fields' &&
    ts.isObjectLiteralExpression(node.initializer)
    ? node.initializer
    : undefined;
}

/** What the fields belong to: a property such as `brand: { fields }`, or a declaration with its path. */
function resourceAround(
  fields: ts.Node,
): { readonly name: string; readonly node: ts.Node } | undefined {
  const owner = fields.parent.parent.parent;
  if (ts.isPropertyAssignment(owner)) return { name: owner.name.getText(), node: owner };
  let name: string | undefined;
  for (let node: ts.Node = fields; !ts.isSourceFile(node); node = node.parent) {
    if (ts.isCallExpression(node)) name ??= node.arguments.find(ts.isStringLiteral)?.text;
    if (ts.isVariableStatement(node)) return name === undefined ? undefined : { name, node };
  }
  return undefined;
}

function meaningOf(node: ts.Node, file: string): Meaning {
  const { text, tags } = commentOf(node);
  const example = tags.get('example');
  return {
    text,
    derivedDefault: tags.get('default'),
    example: example === undefined ? undefined : parse(example, file),
  };
}

/** The text of the comment above a node, and that of its tags, each on one line. */
function commentOf(node: ts.Node): {
  readonly text: string;
  readonly tags: ReadonlyMap<string, string>;
} {
  const comment = ts.getJSDocCommentsAndTags(node).findLast(ts.isJSDoc);
  const textOf = ({ comment }: ts.JSDoc | ts.JSDocTag): string =>
    (ts.getTextOfJSDocComment(comment) ?? '').replace(/\s+/g, ' ').trim();
  return {
    text: comment === undefined ? '' : textOf(comment),
    tags: new Map(comment?.tags?.map((tag) => [tag.tagName.text, textOf(tag)])),
  };
}

function parse(json: string, file: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new ResourceMistake(
      `${file}: the example ${json} is not JSON. Write texts in double quotes.`,
    );
  }
}
