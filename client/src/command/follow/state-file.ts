import { randomUUID } from 'node:crypto';
import { open, readFile, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { explained } from '../../../../common/terminal/reason.ts';
import { Failure } from '../../stores/failure.ts';

export interface StateOf {
  readonly url: string;
  readonly collection: string;
}

/** The token of a follower in a file, so that the next run continues where this one ends. */
export class StateFile {
  readonly #path: string;
  readonly #of: StateOf;
  #since: string;
  #isSaved: boolean;

  private constructor(path: string, of: StateOf, since?: string) {
    this.#path = path;
    this.#of = of;
    this.#since = since ?? BEGINNING;
    this.#isSaved = since !== undefined;
  }

  /**
   * Opens a file. If there is none, the first `save` creates it.
   * @param path as `followedLinks` returns it
   * @param of what it must belong to, and whether to start again
   * @throws Failure if it belongs to something else, or cannot be read or written
   */
  static async open(
    path: string,
    { reset, url, collection }: StateOf & { readonly reset: boolean },
  ): Promise<StateFile> {
    const found = await readState(path);
    // Before anything is printed, so that a file that cannot be written is found at once.
    await attempt(path, async (temporary) => {
      await (await open(temporary, 'w')).close();
      await rm(temporary);
      if (reset) await rm(begunPath(path), { force: true });
    });
    if (reset || found === undefined) return new StateFile(path, { url, collection });
    if (found === 'damaged') {
      throw new Failure(`${path} is empty or damaged. Start again with --reset.`);
    }
    if (found.url !== url || found.collection !== collection) {
      throw new Failure(
        `${path} is the state of ${found.collection} of ${found.url}. Name another file, or start again with --reset.`,
      );
    }
    return new StateFile(path, { url, collection }, found.since);
  }

  get since(): string {
    return this.#since;
  }

  /**
   * Returns the token to save once a page is delivered. A start reports no deletions of before. So if the first page was
   * delivered, and its token not saved, the next run delivers it again and goes on from the token of the run before: it
   * reports what was deleted since then.
   * @param since the token of the page
   * @throws Failure if it cannot be kept
   */
  async tokenAfter(since: string): Promise<string> {
    if (this.#since !== BEGINNING) return since;
    const path = begunPath(this.#path);
    const begun = await readState(path);
    const { url, collection } = this.#of;
    if (typeof begun === 'object' && begun.url === url && begun.collection === collection) {
      return begun.since;
    }
    await this.#write(path, since);
    return since;
  }

  /** Saves a token. Whatever happens, the file has this one or the one before. @throws Failure if it cannot be written */
  async save(since: string): Promise<void> {
    if (this.#isSaved && since === this.#since) return;
    await this.#write(this.#path, since);
    if (this.#since === BEGINNING) await rm(begunPath(this.#path), { force: true });
    this.#since = since;
    this.#isSaved = true;
  }

  async #write(path: string, since: string): Promise<void> {
    await attempt(path, async (temporary) => {
      const file = await open(temporary, 'w');
      try {
        await file.writeFile(`${JSON.stringify({ ...this.#of, since })}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, path);
    });
  }
}

/** The token of a follower that has nothing yet. */
const BEGINNING = '0';

/** The path of the file with the token of a first page that may have been delivered. */
function begunPath(path: string): string {
  return `${path}.begun`;
}

/** How each state file begins. */
const HEAD = '{"url":';

/** Whether an answer or a file has a token that the service may have sent. */
export function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[!-~]{1,1000}$/.test(value);
}

/** Returns the path of the file that a link leads to, also of one that is not there yet. */
export async function followedLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error)) return path;
  }
  try {
    return await followedLinks(resolve(dirname(path), await readlink(path)));
  } catch {
    return path;
  }
}

/** Writes beside a file, under a name that nobody else uses. @throws Failure that names the file */
async function attempt(path: string, write: (temporary: string) => Promise<void>): Promise<void> {
  try {
    await write(`${path}.${randomUUID()}.new`);
  } catch (error) {
    throw new Failure(`${path} cannot be written: ${explained(error)}.`);
  }
}

/**
 * Returns what a file has; undefined if there is none.
 * @throws Failure if it cannot be read, or is another file, which must not be overwritten
 */
async function readState(
  path: string,
): Promise<(StateOf & { since: string }) | 'damaged' | undefined> {
  let text: string;
  try {
    const found = await stat(path);
    if (!found.isFile() && !found.isDirectory()) throw new Error('it is no file');
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new Failure(`${path}: ${explained(error)}. Name another file.`);
  }
  const [url, collection, since] = ['url', 'collection', 'since'].map((name) =>
    memberIn(text, name),
  );
  if (typeof url === 'string' && typeof collection === 'string' && isToken(since)) {
    return { url, collection, since };
  }
  // After a power failure, a file may be cut, or have zeros.
  if (text.startsWith(HEAD) || /^[\s\0]*$/.test(text)) return 'damaged';
  throw new Failure(
    `${path} is not a state file of this command. Name another file, or remove it to start again.`,
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function memberIn(text: string, name: string): unknown {
  try {
    return Reflect.get(Object(JSON.parse(text)), name);
  } catch {
    return undefined;
  }
}
