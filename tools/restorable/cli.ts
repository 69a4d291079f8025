import { Command } from 'commander';
import { onInterruption } from '../interruption.ts';
import { harmlessErrors, printable, withoutKeys } from '../terminal.ts';
import { convert } from './convert.ts';

const program = new Command('npm run restorable --')
  .description(
    'Converts the file that wrangler d1 export wrote into one that wrangler d1 execute --file can restore. D1 refuses the export itself if a row is longer than 100,000 bytes, and wrangler changes some texts in it.',
  )
  .argument('<export>', 'the file that wrangler d1 export wrote')
  .argument('<target>', 'the file to write; it must not exist')
  .configureOutput(harmlessErrors)
  .showHelpAfterError('(use --help to see what it does)')
  .action(run);

await program.parseAsync();

async function run(file: string, target: string): Promise<void> {
  const stop = new AbortController();
  onInterruption(() => {
    stop.abort();
  });
  try {
    await convert(file, target, stop.signal);
    process.stdout.write(`${printable(withoutKeys(target))} can be restored.\n`);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    process.stderr.write(`error: ${printable(withoutKeys(error.message))}\n`);
    process.exitCode = 1;
  }
}
