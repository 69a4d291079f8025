import { mkdir, readFile, writeFile } from 'node:fs/promises';

// Puts the reader of the reference page among the Worker's static assets. Wrangler runs it before it serves or deploys.

const from = 'node_modules/swagger-ui-dist';
const to = 'public/docs/swagger-ui';
await mkdir(to, { recursive: true });
for (const file of [
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui.css',
  'LICENSE',
  'NOTICE',
]) {
  const text = await readFile(`${from}/${file}`, 'utf8');
  // A development server that watches the folder should not start anew for nothing.
  if ((await textOf(`${to}/${file}`)) !== text) await writeFile(`${to}/${file}`, text);
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
}
