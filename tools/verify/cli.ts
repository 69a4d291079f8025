import Table from 'cli-table3';
import { Command, InvalidArgumentError } from 'commander';
import { refuseOptionsKeptByNpm } from '../npm-options.ts';
import { apiKeyOf, originOf } from '../service-options.ts';
import type { Result } from './check.ts';
import type { Report } from './verify.ts';
import { verify } from './verify.ts';
import { harmlessErrors, printable } from '../terminal.ts';

interface Options {
  readonly url: string;
  readonly json?: boolean;
  readonly readOnly?: boolean;
  readonly maxP95?: number;
}

const program = new Command('npm run verify --')
  .description(
    'Checks a deployed service from outside, within a minute, with the API key in BRAND_API_KEY. It creates products and coupon codes that are not for sale, and deletes them afterwards. The exit status is 1 if a check fails.',
  )
  .requiredOption(
    '--url <url>',
    'the address of the service, such as https://api.example.com',
    originOf,
  )
  .option('--read-only', 'the key is read-only: check only reads')
  .option('--max-p95 <ms>', 'fail if the p95 of reads is above this limit', milliseconds)
  .option('--json', 'print one JSON document and nothing else on standard output')
  .configureOutput(harmlessErrors)
  .showHelpAfterError('(add --help to see the options)')
  .action(run);

refuseOptionsKeptByNpm('verify', ['url', 'read-only', 'max-p95']);
await program.parseAsync();

async function run({ url, json = false, readOnly = false, maxP95 }: Options): Promise<void> {
  let apiKey: string;
  try {
    apiKey = apiKeyOf(process.env);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    process.exitCode = 1;
    return;
  }
  const stop = new AbortController();
  let exitCode = 1;
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => {
      process.stderr.write(
        'Stopping: deleting what was created. Press Ctrl+C again to stop immediately.\n',
      );
      exitCode = code;
      stop.abort();
    });
  }
  const report = await verify({ url, apiKey, readOnly, maxP95, signal: stop.signal });
  if (json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  else show(report);
  if (!report.passed || stop.signal.aborted) process.exitCode = exitCode;
}

function show({ url, checks, passed }: Report): void {
  const table = new Table({
    head: ['check', 'result', 'ms', 'found'],
    style: { head: [], border: [] },
    colWidths: [26, 9, 8, 76],
    wordWrap: true,
  });
  table.push(
    ...checks.map((result) => [result.name, result.status, result.milliseconds, foundBy(result)]),
  );
  process.stdout.write(`${table.toString()}\n`);
  const count = (status: Result['status']): number =>
    checks.filter((result) => result.status === status).length;
  process.stdout.write(
    `${url}: ${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped.\n`,
  );
  if (passed) return;
  for (const { name, problems } of checks.filter(({ status }) => status === 'failed')) {
    for (const problem of problems) process.stderr.write(`${printable(`${name}: ${problem}`)}\n`);
  }
  if (isKeyRefused(checks)) {
    process.stderr.write(
      `Most of these failures have one cause: ${url} refuses the key in BRAND_API_KEY. See with key list whether it is live, and whether it is of this deployment.\n`,
    );
  }
}

function foundBy({ problems, notes }: Result): string {
  return [...problems, ...notes].map(printable).join('\n');
}

/** Whether the service refused the operator's key, which makes nearly every check fail. */
function isKeyRefused(checks: Report['checks']): boolean {
  return checks.some(
    ({ name, problems }) =>
      name === 'keys' && problems.some((problem) => /^GET \S+: 401, expected 200\./.test(problem)),
  );
}

function milliseconds(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0)) {
    throw new InvalidArgumentError('Expected a number of milliseconds.');
  }
  return value;
}
