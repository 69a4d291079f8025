import { existsSync } from 'node:fs';
import process from 'node:process';

// The tools begin with this, which ends with a sentence before `npm ci`. In JavaScript, because the person's own Node
// runs it then, which may not know TypeScript.

// npm writes this file at the end of an installation.
if (!existsSync(new URL('../node_modules/.package-lock.json', import.meta.url))) {
  process.stderr.write('error: Run npm ci first.\n');
  process.exit(1);
}
