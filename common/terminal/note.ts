import { printable, withoutKeys } from './printable.ts';

/** Prints a line on standard error, without any API key that was given as another argument. */
export function note(text: string): void {
  process.stderr.write(`${printable(withoutKeys(text))}\n`);
}
