import { spawn } from 'node:child_process';

/** Where a command is typed. */
interface Place {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Types a command at a real terminal, and answers its question. `script` (of util-linux, on every Debian and Ubuntu) makes
 * the terminal.
 * @returns its exit code and all that was on the screen
 */
export async function atTerminal(
  command: string,
  { folder, environment }: Place,
  { question, answer }: { readonly question: string; readonly answer: string },
): Promise<{ code: number | null; screen: string }> {
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd: folder,
    env: environment,
    stdio: ['pipe', 'pipe', 'inherit'],
    // A question that is not asked as expected would wait for its answer without end.
    timeout: 60_000,
  });
  let screen = '';
  let isAnswered = false;
  child.stdout.on('data', (chunk: Buffer) => {
    screen += chunk.toString();
    if (isAnswered || !screen.includes(question)) return;
    isAnswered = true;
    child.stdin.write(`${answer}\r`);
  });
  const code = await new Promise<number | null>((resolve) => child.on('exit', resolve));
  child.stdin.destroy();
  return { code, screen };
}
