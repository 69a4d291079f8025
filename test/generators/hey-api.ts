import { createClient } from '@hey-api/openapi-ts';

/** Writes a client with Hey API; see `Generate` for the parameters. */
export async function generate(path: string, document: string): Promise<void> {
  await createClient({
    input: document,
    output: { path, clean: false, module: { extension: '.js' } },
    plugins: ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'],
    logs: { level: 'silent', file: false },
  });
}
