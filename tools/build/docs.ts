import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { reference } from './reference/reference.ts';

// Puts the reference page among the Worker's static assets. Wrangler runs it before it serves or deploys.

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
