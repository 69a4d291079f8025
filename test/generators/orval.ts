import { generate as orval } from 'orval';

/** Writes a client with orval; see `Generate` for the parameters. */
export async function generate(path: string, document: string, baseUrl: string): Promise<void> {
  await orval({
    input: document,
    output: { target: `${path}/api.ts`, client: 'fetch', baseUrl },
  });
}
