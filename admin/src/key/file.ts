import type { FileHandle } from 'node:fs/promises';
import { rm, truncate } from 'node:fs/promises';
import * as z from 'zod';
import { appendToFile, createFile, readIfThere } from '../../../common/durable-file.ts';
import { tryLock } from '../../../common/file-lock.ts';
import { explained } from '../../../common/terminal/reason.ts';
import { DatabaseFailure } from '../../../common/wrangler/database-failure.ts';
import { Failure } from '../../../common/failure.ts';
import { ONLY_OWNER, textOf } from '../text-file.ts';

// New keys are lines of a file. What a call of the database is about to create is in a second file until the first one has
// it: if the program is killed meanwhile, the next run creates the same keys, so none is there twice or lost.

/** How many keys one call creates: a call of the deployed database takes seconds. */
export const KEYS_PER_CALL = 50;

/** What is known of a brand's key before it is created. */
export const notedKey = z.strictObject({
  brandId: z.string(),
  brandName: z.string(),
  keyId: z.string(),
  label: z.string(),
  apiKey: z.string(),
});

/** A key in the file. */
interface KeyLine {
  readonly keyId: string;
  readonly apiKey: string;
}

/** What a command writes into its file. */
interface KeyForm<Noted extends KeyLine, Made extends Noted> {
  /** What is known of a key before it is created. */
  readonly noted: z.ZodType<Noted>;
  /** A line of the file. It begins with the members of the note, in their order. */
  readonly made: z.ZodType<Made>;
}

const LINE_FEED = 0x0a;

/** A file of new keys, which only one program at a time can have open. */
export class KeyFile<Noted extends KeyLine, Made extends Noted> {
  readonly #file: string;
  readonly #lock: FileHandle;

  /** The path of the file with what is about to be created. */
  readonly begunPath: string;

  #hasBegun: boolean;

  /** What is in the file already. */
  readonly written: readonly Made[];
  /** What an earlier run was about to create, and is not in the file. */
  readonly begun: readonly Noted[];

  private constructor(
    file: string,
    lock: FileHandle,
    lines: { readonly written: readonly Made[]; readonly begun: readonly Noted[] },
  ) {
    [this.#file, this.begunPath, this.#lock] = [file, begunPathOf(file), lock];
    ({ written: this.written, begun: this.begun } = lines);
    this.#hasBegun = this.begun.length > 0;
  }

  /**
   * Opens a file, or creates an empty one.
   * @throws Failure if it has something else, cannot be read or written, or if another program has it open
   */
  static async open<Noted extends KeyLine, Made extends Noted>(
    file: string,
    form: KeyForm<Noted, Made>,
  ): Promise<KeyFile<Noted, Made>> {
    // A lock is taken of an open file, and opening a device may change it already.
    await readBytes(file);
    const lock = await tryLock(file);
    if (lock === undefined) {
      throw new Failure(
        `Another command is writing into ${file}. Wait until it has ended. Nothing was changed.`,
      );
    }
    try {
      return new KeyFile(file, lock, await readLines(file, form));
    } catch (error) {
      await lock.close();
      throw error;
    }
  }

  /** What to do if the command ends before it is done. */
  get howToGoOn(): string {
    const begun = this.#hasBegun
      ? ` Until then, ${this.begunPath} has keys too: leave it there.`
      : '';
    return `Run the same command again: it goes on behind the keys that are in ${this.#file}.${begun}`;
  }

  /** Makes what was begun. @throws Failure if the database fails, that says how to go on */
  async make<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof DatabaseFailure)) throw error;
      throw new Failure(`${error.reason} ${this.howToGoOn}`);
    }
  }

  /** Notes what is about to be created, on disk. @throws Failure if it cannot be written */
  async begin(lines: readonly Noted[]): Promise<void> {
    const create = async (): Promise<void> => {
      // One that is left has nothing that is needed, and perhaps a mode that lets others read it.
      await rm(this.begunPath, { force: true });
      await createFile(this.begunPath, linesOf(lines), { mode: ONLY_OWNER });
    };
    await writing(this.begunPath, create, this.howToGoOn);
    this.#hasBegun = true;
  }

  /** Writes what was created, on disk. @throws Failure if it cannot be written */
  async add(lines: readonly Made[]): Promise<void> {
    await writing(
      this.#file,
      () => appendToFile(this.#file, linesOf(lines), { mode: ONLY_OWNER }),
      this.howToGoOn,
    );
    await rm(this.begunPath, { force: true });
    this.#hasBegun = false;
  }

  /** Lets other programs open the file. */
  async close(): Promise<void> {
    await this.#lock.close();
  }
}

function begunPathOf(file: string): string {
  return `${file}.begun`;
}

/** Reads both files, and removes a line that was not written to its end. */
async function readLines<Noted extends KeyLine, Made extends Noted>(
  file: string,
  form: KeyForm<Noted, Made>,
): Promise<{ readonly written: readonly Made[]; readonly begun: readonly Noted[] }> {
  // Nothing was created of a note that is not whole.
  const note = begunPathOf(file);
  const noted = parsedLines(wholeLines(await readBytes(note)), form.noted, note);
  const bytes = await readBytes(file);
  const whole = wholeLines(bytes);
  // A disk that is full ends a write within a line, and so does a kill. The note has all of it.
  const torn = bytes.subarray(whole.length);
  const isNoted = noted.some((line) => beginsAlike(torn, beginningOf(line)));
  const written = parsedLines(isNoted ? whole : bytes, form.made, file);
  if (torn.length > 0) {
    await writing(file, () =>
      // Editors leave out the end of the last line.
      isNoted ? truncate(file, whole.length) : appendToFile(file, '\n', { mode: ONLY_OWNER }),
    );
  }
  const ids = new Set(written.map(({ keyId }) => keyId));
  return { written, begun: noted.filter(({ keyId }) => !ids.has(keyId)) };
}

/** Returns the beginning of the line that a note becomes. */
function beginningOf(noted: KeyLine): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(noted).slice(0, -'}'.length));
}

/** Whether the shorter one is the beginning of the longer one. */
function beginsAlike(one: Uint8Array, other: Uint8Array): boolean {
  return one.subarray(0, other.length).every((byte, index) => byte === other[index]);
}

function linesOf(lines: readonly KeyLine[]): string {
  return lines.map((one) => `${JSON.stringify(one)}\n`).join('');
}

async function writing(
  file: string,
  write: () => Promise<void>,
  whatNext = 'Nothing was changed.',
): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw new Failure(`${file} cannot be written: ${explained(error)}. ${whatNext}`);
  }
}

/** Returns the content of a file; nothing if there is no file. */
async function readBytes(file: string): Promise<Uint8Array> {
  try {
    return (await readIfThere(file)) ?? new Uint8Array();
  } catch (error) {
    throw new Failure(`${file} cannot be read: ${explained(error)}. Nothing was changed.`);
  }
}

/** Returns the lines that have an end. */
function wholeLines(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, bytes.lastIndexOf(LINE_FEED) + 1);
}

function parsedLines<Line>(bytes: Uint8Array, form: z.ZodType<Line>, file: string): Line[] {
  try {
    return textOf(bytes)
      .split('\n')
      .filter((one) => one !== '')
      .map((one) => form.parse(JSON.parse(one)));
  } catch {
    throw new Failure(
      `${file} exists already, and is no file of keys of this command. Choose another.`,
    );
  }
}
