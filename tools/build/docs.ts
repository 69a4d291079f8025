import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { reference } from './reference/reference.ts';

// Puts the reference page and the reader of the page to try among the Worker's static assets. Wrangler runs it before it
// serves or deploys.

const from = 'node_modules/swagger-ui-dist';
const to = 'public/docs/swagger-ui';

for (const file of [
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui.css',
  'LICENSE',
  'NOTICE',
]) {
  await write(`${to}/${file}`, await readFile(`${from}/${file}`, 'utf8'));
}
for (const [file, text] of Object.entries(await reference())) await write(file, text);

/** Writes a file if it differs: a development server that watches the folder should not start again for nothing. */
async function write(file: string, text: string): Promise<void> {
  if ((await textOf(file)) === text) return;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
}
