import { open, readFile, rename } from 'node:fs/promises';
import { Failure } from './failure.ts';
import { explained } from '../../../common/terminal/reason.ts';

/** What a state belongs to. */
export interface StateOf {
  readonly url: string;
  readonly collection: string;
}

/** The token of a follower in a file, so that the next run continues where this one ends. */
export class StateFile {
  readonly #path: string;
  readonly #of: StateOf;
  #since: string;

  private constructor(path: string, of: StateOf, since: string) {
    this.#path = path;
    this.#of = of;
    this.#since = since;
  }

  /**
   * Opens a file, or creates it.
   * @param of what it must belong to, and whether to start again
   * @throws Failure if it belongs to something else, or cannot be read or written
   */
  static async open(
    path: string,
    { reset, url, collection }: StateOf & { readonly reset: boolean },
  ): Promise<StateFile> {
    const found = await readState(path);
    if (found === 'damaged' && !reset) {
      throw new Failure(`${path} is empty or damaged. Start again with --reset.`);
    }
    if (found !== undefined && found !== 'damaged' && !reset) {
      if (found.url !== url || found.collection !== collection) {
        throw new Failure(
          `${path} is the state of ${found.collection} of ${found.url}. Name another file, or start again with --reset.`,
        );
      }
      return new StateFile(path, { url, collection }, found.since);
    }
    const state = new StateFile(path, { url, collection }, '');
    // Before anything is printed, so that a file that cannot be written is found at once.
    await state.save('0');
    return state;
  }

  /** The token to continue from. */
  get since(): string {
    return this.#since;
  }

  /** Saves a token. Whatever happens, the file has this one or the one before. @throws Failure if it cannot be written */
  async save(since: string): Promise<void> {
    if (since === this.#since) return;
    const temporary = `${this.#path}.new`;
    try {
      const file = await open(temporary, 'w');
      try {
        await file.writeFile(`${JSON.stringify({ ...this.#of, since })}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, this.#path);
    } catch (error) {
      throw new Failure(`${this.#path} cannot be written: ${explained(error)}.`);
    }
    this.#since = since;
  }
}

/** How each state file begins. */
const BEGINNING = '{"url":';

/**
 * Returns what a file has; undefined if there is none.
 * @throws Failure if it cannot be read, or is another file, which must not be overwritten
 */
async function readState(
  path: string,
): Promise<(StateOf & { since: string }) | 'damaged' | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new Failure(`${path}: ${explained(error)}.`);
  }
  const [url, collection, since] = ['url', 'collection', 'since'].map((name) => member(text, name));
  if (url === undefined || collection === undefined || since === undefined) {
    // After a power failure, a file may be cut, or have zeros.
    if (text.startsWith(BEGINNING) || /^[\s\0]*$/.test(text)) return 'damaged';
    throw new Failure(
      `${path} is not a state file of this command. Name another file, or remove it to start again.`,
    );
  }
  return { url, collection, since };
}

function member(text: string, name: string): string | undefined {
  try {
    const value: unknown = Reflect.get(Object(JSON.parse(text)), name);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
