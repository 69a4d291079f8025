import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { explained } from '../../common/terminal/reason.ts';
import { Failure } from '../../common/failure.ts';

/** The mode of a file that only its owner can read: it has what a database has, or keys. */
export const ONLY_OWNER = 0o600;

/**
 * Reads a file in UTF-8.
 * @throws Failure if it cannot be read, or has other bytes: its letters would be lost
 */
export async function readTextFile(file: string): Promise<string> {
  try {
    return textOf(await readFile(file));
  } catch (error) {
    throw new Failure(`${file} cannot be read: ${explained(error)}.`);
  }
}

/**
 * Returns the text of bytes in UTF-8; a byte order mark stays.
 * @throws Error that says what is wrong
 */
export function textOf(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new Error('it is not in UTF-8. Save it in UTF-8');
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}
