import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

/** What the comment above a field says. */
export interface Meaning {
  readonly text: string;
  /** The derived default in words. A constant default is in the schema. */
  readonly derivedDefault?: string | undefined;
  /** What becomes of it, in a sentence, if a PUT leaves it out: neither its default, nor what it was. */
  readonly inPut?: string | undefined;
  readonly example?: unknown;
}

/** The comments of all resources: collections by path, halves of the profile by name. */
export type Meanings = Readonly<Record<string, ResourceMeanings>>;

interface ResourceMeanings {
  readonly file: string;
  readonly text: string;
  readonly fields: Readonly<Record<string, Meaning>>;
}

/** A mistake in a resource file. Its text names the file and says what to do, so that no stack is needed. */
export class ResourceMistake extends Error {}

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
      if (
        ts.isPropertyAssignment(node) &&
        node.name.getText() === 'fields' &&
        ts.isObjectLiteralExpression(node.initializer)
      ) {
        // `brand: { fields }`, or `defineCollection('products', { fields })`.
        const owner = node.parent.parent;
        const name = ts.isCallExpression(owner)
          ? owner.arguments.find(ts.isStringLiteral)?.text
          : ts.isPropertyAssignment(owner) && owner.name.getText();
        const fields = node.initializer.properties.map((property): [string, Meaning] => [
          property.name?.getText() ?? '',
          meaningOf(property, file),
        ]);
        const { text } = commentOf(owner);
        if (name) meanings[name] = { file, text, fields: Object.fromEntries(fields) };
      }
      ts.forEachChild(node, visit);
    };
    const text = await readFile(file, 'utf8');
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  }
  return meanings;
}

function meaningOf(node: ts.Node, file: string): Meaning {
  const { text, tags } = commentOf(node);
  const json = tags.get('example');
  try {
    const example: unknown = json && JSON.parse(json);
    return { text, derivedDefault: tags.get('default'), inPut: tags.get('put'), example };
  } catch {
    throw new ResourceMistake(
      `${file}: the example ${json ?? ''} is not JSON. Write texts in double quotes.`,
    );
  }
}

/** The text of the comment above a node, and those of its tags, each on one line. */
function commentOf(node: ts.Node): { text: string; tags: ReadonlyMap<string, string> } {
  const comment = ts.getJSDocCommentsAndTags(node).findLast(ts.isJSDoc);
  const textOf = (doc?: ts.JSDoc | ts.JSDocTag): string =>
    (ts.getTextOfJSDocComment(doc?.comment) ?? '').replace(/\s+/g, ' ').trim();
  const tags = comment?.tags?.map((tag) => [tag.tagName.text, textOf(tag)] as const);
  return { text: textOf(comment), tags: new Map(tags) };
}
