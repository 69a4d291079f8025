import { join } from 'node:path';
import { build } from 'esbuild';
import { page } from './components/page.ts';
import type { Contents } from './contents.ts';
import { readContents } from './contents.ts';
import { ORIGIN } from './highlight.ts';
import { MARKDOWN_FOLDER, operationMarkdown } from './operation-markdown.ts';
import { searchEntries } from './search-entries.ts';
import { tryOperations } from './try-operations.ts';

const DOCUMENT = 'public/api/brand/v1/openapi.json';

/**
 * The reference page with its style sheet, its scripts, and its operations as Markdown, by file.
 * @throws Error naming what the document or a guide lacks
 */
export async function reference(): Promise<Readonly<Record<string, string>>> {
  const contents = await readContents(DOCUMENT);
  const [style, scheme, script] = await Promise.all([
    bundled('styles/reference.css'),
    bundled('browser/scheme.ts'),
    bundled('browser/reference.ts', namesOf(contents)),
  ]);
  return {
    'public/docs.html': `${page(contents)}\n`,
    'public/docs/reference.css': style,
    'public/docs/scheme.js': scheme,
    'public/docs/reference.js': script,
    ...markdownFiles(contents),
  };
}

function markdownFiles({ document, sections, samples }: Contents): Record<string, string> {
  return Object.fromEntries(
    sections.flatMap((section) =>
      section.operations.map((operation) => [
        `public${MARKDOWN_FOLDER}/${operation.id}.md`,
        operationMarkdown(document, section, operation, samples.get(operation.id) ?? []),
      ]),
    ),
  );
}

/** What `browser/globals.d.ts` declares. */
function namesOf(contents: Contents): Record<string, string> {
  const operations = contents.sections.flatMap((section) => section.operations);
  const values = {
    SEARCH_ENTRIES: searchEntries(contents),
    TRY_OPERATIONS: tryOperations(contents.document, operations),
    SAMPLE_ORIGIN: ORIGIN,
  };
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]),
  );
}

async function bundled(entry: string, define: Record<string, string> = {}): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2024',
    define,
  });
  return outputFiles[0]?.text ?? '';
}
