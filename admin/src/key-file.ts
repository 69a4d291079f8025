import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
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
    const written = await readLines(file);
    const ids = new Set(written.map(({ brandId }) => brandId));
    const left = (await readLines(begun)).filter(({ brandId }) => !ids.has(brandId));
    return new KeyFile(file, begun, [written, left]);
  }

  /** Notes what is about to be created. @throws OperatorError if it cannot be written */
  async begin(lines: readonly KeyLine[]): Promise<void> {
    await writing(this.#begun, () => writeFile(this.#begun, textOf(lines), ONLY_OWNER));
  }

  /** Writes what was created. @throws OperatorError if it cannot be written */
  async add(lines: readonly KeyLine[]): Promise<void> {
    await writing(this.#file, () => appendFile(this.#file, textOf(lines), ONLY_OWNER));
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

async function readLines(file: string): Promise<KeyLine[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw new OperatorError(`${file} cannot be read: ${explained(error)}.`);
  }
  try {
    return text
      .split('\n')
      .filter((one) => one !== '')
      .map((one) => line.parse(JSON.parse(one)));
  } catch {
    throw new OperatorError(`${file} exists already, and is no file of new keys. Choose another.`);
  }
}
