import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import * as z from 'zod';

// An install script runs code on the machine of a developer or of a workflow. npm runs none that package.json does not
// allow, and fails: .npmrc says so.

const manifest = z.object({ allowScripts: z.record(z.string(), z.boolean()) });
const lock = z.object({
  packages: z.record(z.string(), z.object({ hasInstallScript: z.boolean().default(false) })),
});

async function read<T>(schema: z.ZodType<T>, file: string): Promise<T> {
  return schema.parse(JSON.parse(await readFile(file, 'utf8')));
}

it('package.json decides about each package that has an install script, and about no other', async () => {
  const { allowScripts } = await read(manifest, 'package.json');
  const { packages } = await read(lock, 'package-lock.json');
  const having = Object.keys(packages)
    .filter((path) => packages[path]?.hasInstallScript)
    .map((path) => path.replace(/^.*node_modules\//, ''));
  expect(Object.keys(allowScripts).sort()).toEqual([...new Set(having)].sort());
  expect(await readFile('.npmrc', 'utf8')).toMatch(/^strict-allow-scripts=true$/m);
});
