import { appendFile, chmod, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { explained } from '../../common/terminal/reason.ts';
import { OperatorError } from '../../common/operator-error.ts';

// New keys are lines of a file. What a call of the database is about to create is in a second file until the first one has
// it: if the program is killed meanwhile, the next run creates the same brands with the same keys, so none is there twice or
// without its key.

const line = z.object({
  brandId: z.string(),
  brandName: z.string(),
  keyId: z.string(),
  apiKey: z.string(),
});

/** A brand with its key, as a line of the file. */
export type KeyLine = z.infer<typeof line>;

/** The mode of a file that only its owner can read. */
const ONLY_OWNER = { mode: 0o600 };

export class KeyFile {
  readonly #file: string;
  readonly #begun: string;

  /** What is in the file already. */
  readonly written: readonly KeyLine[];
  /** What an earlier run was about to write. */
  readonly begun: readonly KeyLine[];

  private constructor(file: string, begun: string, lines: readonly (readonly KeyLine[])[]) {
    [this.#file, this.#begun] = [file, begun];
    [this.written = [], this.begun = []] = lines;
  }

  /** @throws OperatorError if it is there and has something else, or cannot be read */
  static async open(file: string): Promise<KeyFile> {
    const begun = `${file}.begun`;
    // What is about to be created is noted first: nothing was created of a note that is not whole.
    const noted = linesIn(wholeLines(await readText(begun)), begun);
    const text = await readText(file);
    const whole = wholeLines(text);
    const torn = text.slice(whole.length);
    // A disk that is full ends a write within a line. The note has all of it.
    const isNoted = noted.some((line) => textOf([line]).startsWith(torn));
    const written = linesIn(isNoted ? whole : text, file);
    if (isNoted && torn !== '') {
      await writing(file, () => truncate(file, new TextEncoder().encode(whole).length));
    }
    const ids = new Set(written.map(({ brandId }) => brandId));
    return new KeyFile(file, begun, [written, noted.filter(({ brandId }) => !ids.has(brandId))]);
  }

  /** Notes what is about to be created. @throws OperatorError if it cannot be written */
  async begin(lines: readonly KeyLine[]): Promise<void> {
    await writing(this.#begun, () => writeFile(this.#begun, textOf(lines), ONLY_OWNER));
  }

  /** Writes what was created. @throws OperatorError if it cannot be written */
  async add(lines: readonly KeyLine[]): Promise<void> {
    await writing(this.#file, async () => {
      await appendFile(this.#file, '', ONLY_OWNER);
      // An empty file may have been there.
      await chmod(this.#file, ONLY_OWNER.mode);
      await appendFile(this.#file, textOf(lines));
    });
    await rm(this.#begun);
  }
}

function textOf(lines: readonly KeyLine[]): string {
  return lines.map((one) => `${JSON.stringify(one)}\n`).join('');
}

async function writing(file: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw new OperatorError(`${file} cannot be written: ${explained(error)}.`);
  }
}

/** Returns the text of a file; an empty one if there is no file. */
async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw new OperatorError(`${file} cannot be read: ${explained(error)}.`);
  }
}

/** Returns a text up to the end of its last line that has one. */
function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

function linesIn(text: string, file: string): KeyLine[] {
  try {
    return text
      .split('\n')
      .filter((one) => one !== '')
      .map((one) => line.parse(JSON.parse(one)));
  } catch {
    throw new OperatorError(`${file} exists already, and is no file of new keys. Choose another.`);
  }
}
