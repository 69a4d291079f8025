import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { readContents } from './contents.ts';
import { page } from './page.ts';

// Puts the reference page among the Worker's static assets. Wrangler runs it before it serves or deploys: `npm run docs`.

/**
 * The reference page with its style sheet and its script, by file.
 * @throws Error naming what the document or a guide lacks
 */
export async function reference(): Promise<Readonly<Record<string, string>>> {
  const { outputFiles } = await build({
    entryPoints: ['reference.css', 'browser/reference.ts'].map((file) =>
      join(import.meta.dirname, file),
    ),
    entryNames: '[name]',
    outdir: 'public/docs',
    bundle: true,
    minify: true,
    write: false,
    target: 'es2024',
  });
  const contents = await readContents('public/api/brand/v1/openapi.json');
  return {
    'public/docs.html': `${page(contents)}\n`,
    ...Object.fromEntries(outputFiles.map(({ path, text }) => [relative('.', path), text])),
  };
}

if (import.meta.main) {
  for (const [file, text] of Object.entries(await reference())) {
    // A development server that watches the folder should not start again for nothing.
    const current = await readFile(file, 'utf8').catch(() => undefined);
    if (text !== current) await writeFile(file, text);
  }
}
