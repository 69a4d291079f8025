import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** Returns what a filter of jq makes of a text. */
export async function jq(filter: string, input: string): Promise<string> {
  const child = spawn('jq', ['-cr', filter], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(input);
  return text(child.stdout);
}
