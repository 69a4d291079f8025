import { SingleBar } from 'cli-progress';

/** A bar on a terminal's standard error that counts rows. */
export function progressBar(): SingleBar {
  return new SingleBar({
    format: '{bar} {value} of {total} rows',
    stream: process.stderr,
    noTTYOutput: false,
  });
}
