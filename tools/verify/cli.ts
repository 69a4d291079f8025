import { Command } from 'commander';
import { exitCodeOf, onInterruption } from '../../common/terminal/interruption.ts';
import { refuseOptionsKeptByNpm } from '../npm-options.ts';
import { apiKeyFor, originOf } from '../service-options.ts';
import { harmlessErrors } from '../../common/terminal/printable.ts';
import { verify } from './verify.ts';

const program = new Command('npm run verify --')
  .description(
    'Checks a deployed service from outside, with the API key in BRAND_API_KEY. In each collection it creates one resource, which is not for sale, and deletes it afterwards. The exit status is 1 if a check fails.',
  )
  .requiredOption('--url <url>', 'the address, such as https://api.example.com', originOf)
  .configureOutput(harmlessErrors)
  .showHelpAfterError('(add --help to see the options)')
  .action(run);

refuseOptionsKeptByNpm(program, 'verify');
await program.parseAsync();

async function run({ url }: { readonly url: string }): Promise<void> {
  const apiKey = apiKeyFor(program);
  const stop = new AbortController();
  let exitCode = 1;
  onInterruption((signal) => {
    process.stderr.write('Stopping: deleting what was created.\n');
    exitCode = exitCodeOf(signal);
    stop.abort();
  });
  const show = (line: string): void => void process.stdout.write(`${line}\n`);
  const passed = await verify({ url, apiKey, signal: stop.signal, show });
  if (!passed || stop.signal.aborted) process.exitCode = exitCode;
}
