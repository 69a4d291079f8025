import { SingleBar } from 'cli-progress';

/** A bar on a terminal's standard error that counts what is done. */
export function progressBar(what: 'rows' | 'products'): SingleBar {
  return new SingleBar({
    format: `{bar} {value} of {total} ${what}`,
    stream: process.stderr,
    noTTYOutput: false,
  });
}
