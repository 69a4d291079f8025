import { constants } from 'node:os';
import Table from 'cli-table3';
import { Command, InvalidArgumentError } from 'commander';
import { onInterruption } from '../interruption.ts';
import { refuseOptionsKeptByNpm } from '../npm-options.ts';
import { apiKeyOf, originOf } from '../service-options.ts';
import type { Result } from './check.ts';
import { reachable } from './checks/reachable.ts';
import type { Report } from './verify.ts';
import { verify } from './verify.ts';
import { harmlessErrors, printable } from '../terminal.ts';

interface Options {
  readonly url: string;
  readonly json?: boolean;
  readonly readOnly?: boolean;
  readonly maxP95?: number;
}

/** How the service refuses the operator's key, which makes nearly every check fail. */
const KEY_REFUSALS: readonly (readonly [sign: RegExp, cause: string])[] = [
  [
    /^GET \S+: 401, expected 200\./,
    'refuses the key in BRAND_API_KEY. See with key list whether it is live, and whether it is of this deployment.',
  ],
  [
    /^GET \S+: 403, expected 200\./,
    'has suspended the brand of the key in BRAND_API_KEY. See with audit who suspended it, and why.',
  ],
];

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

refuseOptionsKeptByNpm(program, 'verify');
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
  onInterruption((signal) => {
    process.stderr.write(
      'Stopping: deleting what was created. Press Ctrl+C again to stop immediately.\n',
    );
    exitCode = 128 + constants.signals[signal];
    stop.abort();
  });
  const report = await verify({ url, apiKey, readOnly, maxP95, signal: stop.signal });
  if (json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  else show(report);
  if (!report.passed || stop.signal.aborted) process.exitCode = exitCode;
}

function show({ url, checks, passed }: Report): void {
  const [first] = checks;
  if (first?.name === reachable.name && first.status === 'failed') {
    const sentence = `${url} does not answer: ${first.problems.join()}`;
    process.stderr.write(`error: ${printable(sentence)}\n`);
    return;
  }
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
  const cause = KEY_REFUSALS.find(([sign]) =>
    checks.some(({ name, problems }) => name === 'keys' && problems.some((one) => sign.test(one))),
  );
  if (cause !== undefined) {
    process.stderr.write(`Most of these failures have one cause: ${url} ${cause[1]}\n`);
  }
}

function foundBy({ problems, notes }: Result): string {
  return [...problems, ...notes].map(printable).join('\n');
}

function milliseconds(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0)) {
    throw new InvalidArgumentError('Expected a number of milliseconds.');
  }
  return value;
}
