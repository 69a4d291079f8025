import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { ResourceMistake } from './openapi/mistake.ts';

/** The content of the comment above a field. */
export interface Meaning {
  /** The description of the field, in one or two sentences. */
  readonly text: string;
  /** The derived default in words; undefined for other fields, whose default is in the schema. */
  readonly derivedDefault?: string | undefined;
  readonly example?: unknown;
}

/** The content of a resource's comments. */
interface ResourceMeanings {
  /** The file that contains them. */
  readonly file: string;
  /** The description of the resource. */
  readonly text: string;
  readonly fields: Readonly<Record<string, Meaning>>;
}

/** The comments of all resources: collections by path, halves of the profile by name. */
export type Meanings = Readonly<Record<string, ResourceMeanings>>;

const FOLDER = 'src/resources';

/**
 * Reads what the comments of resource files say: above a resource, and above each property of an object `fields`.
 * @param more files besides those of the service
 * @throws ResourceMistake for an example that is no JSON
 */
export async function readMeanings(...more: readonly string[]): Promise<Meanings> {
  const meanings: Record<string, ResourceMeanings> = {};
  const own = (await readdir(FOLDER)).map((name) => join(FOLDER, name));
  for (const file of [...own, ...more]) {
    const visit = (node: ts.Node): void => {
      if (isFields(node)) {
        // `brand: { fields }`, or `defineCollection('products', { fields })`.
        const owner = node.parent.parent;
        const name = ts.isCallExpression(owner)
          ? owner.arguments.find(ts.isStringLiteral)?.text
          : ts.isPropertyAssignment(owner) && owner.name.getText();
        const fields: Record<string, Meaning> = {};
        for (const property of node.initializer.properties) {
          fields[property.name?.getText() ?? ''] = meaningOf(property, file);
        }
        if (name) meanings[name] = { file, text: commentOf(owner).text, fields };
      }
      ts.forEachChild(node, visit);
    };
    const text = await readFile(file, 'utf8');
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  }
  return meanings;
}

/** Whether a node is `fields: { … }`. */
function isFields(
  node: ts.Node,
): node is ts.PropertyAssignment & { readonly initializer: ts.ObjectLiteralExpression } {
  return (
    ts.isPropertyAssignment(node) &&
    node.name.getText() === 'fields' &&
    ts.isObjectLiteralExpression(node.initializer)
  );
}

function meaningOf(node: ts.Node, file: string): Meaning {
  const { text, tags } = commentOf(node);
  const json = tags.get('example');
  try {
    const example: unknown = json && JSON.parse(json);
    return { text, derivedDefault: tags.get('default'), example };
  } catch {
    throw new ResourceMistake(
      `${file}: the example ${json ?? ''} is not JSON. Write texts in double quotes.`,
    );
  }
}

/** The text of the comment above a node, and that of its tags, each on one line. */
function commentOf(node: ts.Node): {
  readonly text: string;
  readonly tags: ReadonlyMap<string, string>;
} {
  const comment = ts.getJSDocCommentsAndTags(node).findLast(ts.isJSDoc);
  const textOf = (doc?: ts.JSDoc | ts.JSDocTag): string =>
    (ts.getTextOfJSDocComment(doc?.comment) ?? '').replace(/\s+/g, ' ').trim();
  return {
    text: textOf(comment),
    tags: new Map(comment?.tags?.map((tag) => [tag.tagName.text, textOf(tag)])),
  };
}
