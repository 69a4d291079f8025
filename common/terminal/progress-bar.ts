import { SingleBar } from 'cli-progress';

/** A bar that counts what is done, on a terminal. Elsewhere nothing is shown. */
export function progressBar(
  what: string,
  stream: NodeJS.WritableStream = process.stderr,
): SingleBar {
  return new SingleBar({
    format: `{bar} {value} of {total} ${what}`,
    stream,
    noTTYOutput: false,
  });
}
