import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { document } from './document.ts';

// Writes the document to where the Worker's static assets are served from: `npm run openapi`.

const file = 'public/api/brand/v1/openapi.json';
await mkdir(dirname(file), { recursive: true });
await writeFile(file, `${JSON.stringify(document, null, 2)}\n`);
