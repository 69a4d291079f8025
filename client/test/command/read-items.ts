import { record } from '../../../test/node/processes.ts';
import { commandOf } from './commanded.ts';

/** Runs `read -` with a file, and returns its items. */
export async function readItems(
  content: string,
  ...words: readonly string[]
): Promise<{ items: Record<string, unknown>[]; stderr: string; code: number | null }> {
  const command = commandOf({ apiKey: '', baseUrl: 'http://127.0.0.1:9' });
  const { stdout, stderr, code } = await command(['read', '-', ...words], { stdin: content });
  const lines = stdout.split('\n').filter((line) => line !== '');
  return { items: lines.map((line) => record(JSON.parse(line))), stderr, code };
}
