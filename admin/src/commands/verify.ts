import type { Command, CommandUnknownOpts } from 'commander';
import { Argument } from 'commander';
import { interruptible } from '../../../common/terminal/interruption.ts';
import { note } from '../../../common/terminal/note.ts';
import { Interrupted } from './interruption.ts';
import { Failure } from '../../../common/failure.ts';
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

/** @throws Failure if a check fails, or if it is interrupted */
async function verifyService(url: string, _: object, command: CommandUnknownOpts): Promise<void> {
  const apiKey = apiKeyFor(command);
  const show = (line: string): void => void process.stdout.write(`${line}\n`);
  const { passed, failed } = await interruptible(
    async (signal, interruption) => {
      const counts = await verify({ url, apiKey, signal, show });
      const stoppedBy = interruption();
      if (stoppedBy === undefined) return counts;
      throw new Interrupted(stoppedBy, `${counts.passed} checks passed, ${counts.failed} failed.`);
    },
    () => {
      note('Stopping: deleting what was created.');
    },
  );
  if (failed > 0) throw new Failure(`${failed} of ${passed + failed} checks failed.`);
  show(`${passed} checks passed`);
}
