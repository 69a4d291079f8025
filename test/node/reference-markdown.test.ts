import { marked } from 'marked';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Contents } from '../../tools/build/reference/contents.ts';
import { readContents } from '../../tools/build/reference/contents.ts';
import { errorTextsOf } from '../../tools/build/reference/operations.ts';
import { reference } from '../../tools/build/reference/reference.ts';

let contents: Contents;
let files: Readonly<Record<string, string>>;

beforeAll(async () => {
  contents = await readContents('public/api/brand/v1/openapi.json');
  files = await reference();
});

describe('the Markdown of an operation', () => {
  const operations = (): Contents['sections'][number]['operations'] =>
    contents.sections.flatMap((section) => section.operations);

  it('has its parameters, its errors and its samples', () => {
    for (const { id, method, path, parameters, errors } of operations()) {
      const text = files[`public/docs/operations/${id}.md`] ?? '';
      expect(text).toContain(`\`${method.toUpperCase()} https://api.example.com${path}\``);
      for (const { name } of parameters) expect(text, id).toContain(`- \`${name}\` (`);
      for (const error of errors) {
        expect(text).toContain(`- **${error.status}**: ${error.description}`);
        for (const message of errorTextsOf(error)) expect(text).toContain(`\`${message}\``);
      }
      for (const { text: sample } of (contents.samples.get(id) ?? []).flatMap(
        ({ codes }) => codes,
      )) {
        expect(text).toContain(sample);
      }
    }
  });

  it('has the fields that a body may have, and the members of a response', () => {
    const text = files['public/docs/operations/createProduct.md'] ?? '';
    expect(text).toContain('- `priceCents` (integer, required to create): ');
    expect(text).toContain('- `{"products": […]}` with 1 to 500 items. A push: ');
    expect(text).toContain('An item that deletes the product that it matches.');
    const replaced = files['public/docs/operations/replaceProduct.md'];
    expect(replaced).toContain('- `priceCents` (integer, required): ');
    expect(text).toContain('One of `ACTIVE`, `DRAFT`, `ARCHIVED`, `UNLISTED`.');
    expect(text).toContain('- `results` (array of objects): One result for each item, in order.');
    expect(text).toMatch(/^ {2}- `status` \(string\): .* One of `created`,.* `refused`\.$/m);
  });

  it('is well-formed: its blocks of code are closed, and no link needs the page', () => {
    for (const { id } of operations()) {
      const text = files[`public/docs/operations/${id}.md`] ?? '';
      const headings = marked.lexer(text).filter((token) => token.type === 'heading');
      expect(headings.map((token) => token.raw.trim())).toEqual(
        expect.arrayContaining(['## Parameters', '## Returns', '## Errors', '## Samples']),
      );
      expect(text).not.toContain('](#');
    }
  });
});
