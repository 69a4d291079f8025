import Table from 'cli-table3';
import { Command, InvalidArgumentError } from 'commander';
import type { Result } from './check.ts';
import type { Report } from './verify.ts';
import { verify } from './verify.ts';
import { printable } from '../terminal.ts';

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
    address,
  )
  .option('--read-only', 'the key is read-only: check only reads')
  .option('--max-p95 <ms>', 'fail if the p95 of reads is above this limit', Number)
  .option('--json', 'print one JSON document and nothing else on standard output')
  .showHelpAfterError('(add --help to see the options)')
  .action(run);

await program.parseAsync();

async function run({ url, json = false, readOnly = false, maxP95 }: Options): Promise<void> {
  const apiKey = process.env['BRAND_API_KEY'];
  if (!apiKey) {
    process.stderr.write('error: The environment variable BRAND_API_KEY is not set.\n');
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
}

function foundBy({ problems, notes }: Result): string {
  return [...problems, ...notes].map(printable).join('\n');
}

function address(text: string): string {
  const url = URL.parse(text);
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== '/' ||
    url.search !== ''
  ) {
    throw new InvalidArgumentError(
      'Write an address such as https://api.example.com, without a path.',
    );
  }
  return url.origin;
}
