import type { Command, CommandUnknownOpts } from 'commander';
import { Argument } from 'commander';
import type { Interruption } from '../../../common/terminal/interruption.ts';
import { onInterruption } from '../../../common/terminal/interruption.ts';
import { note } from '../../../common/terminal/note.ts';
import { Interrupted, OperatorError } from '../../../common/operator-error.ts';
import { apiKeyFor, originOf } from '../verify/service-options.ts';
import { verify } from '../verify/verify.ts';

export function addVerifyCommand(program: Command): void {
  program
    .command('verify')
    .description(
      'check a deployed service from outside, with the API key in BRAND_API_KEY; in each collection it creates one resource, which is not for sale, and deletes it afterwards',
    )
    .addArgument(
      new Argument('<url>', 'its address, such as https://api.example.com').argParser(originOf),
    )
    .action(verifyService);
}

/** @throws OperatorError if a check fails, or if it is interrupted */
async function verifyService(url: string, _: object, command: CommandUnknownOpts): Promise<void> {
  const apiKey = apiKeyFor(command);
  const stop = new AbortController();
  let stoppedBy: Interruption | undefined;
  const forget = onInterruption((signal) => {
    note('Stopping: deleting what was created.');
    stoppedBy = signal;
    stop.abort();
  });
  const show = (line: string): void => void process.stdout.write(`${line}\n`);
  const { passed, failed } = await verify({ url, apiKey, signal: stop.signal, show });
  forget();
  if (stoppedBy !== undefined) {
    throw new Interrupted(stoppedBy, `${passed} checks passed, ${failed} failed.`);
  }
  if (failed > 0) throw new OperatorError(`${failed} of ${passed + failed} checks failed.`);
  show(`${passed} checks passed`);
}
