import { readlink, rm } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import { readIfThere, replaceFile } from '../../../../common/durable-file.ts';
import { explained } from '../../../../common/terminal/reason.ts';
import { Failure } from '../../../../common/failure.ts';
import { jsonIn } from '../../json.ts';

/** What a token is of. */
interface Origin {
  readonly url: string;
  readonly collection: string;
}

/** The token of a follower that has nothing yet. */
const BEGINNING = '0';

/** How each state file begins. */
const HEAD = '{"url":';

/** How many links lead to a file at most. */
const MOST_LINKS = 40;

/** The token of a follower in a file, so that the next run continues where this one ends. */
export class StateFile {
  readonly #path: string;
  readonly #origin: Origin;
  #since: string;

  private constructor(path: string, origin: Origin, since = BEGINNING) {
    this.#path = path;
    this.#origin = origin;
    this.#since = since;
  }

  /**
   * Opens a file. If there is none, the first `save` creates it.
   * @param path as `followedLinks` returns it
   * @param origin what it must belong to, unless it is reset
   * @throws Failure if it belongs to something else, or cannot be read or written
   */
  static async open(
    path: string,
    origin: Origin,
    { reset }: { readonly reset?: true },
  ): Promise<StateFile> {
    const found = await readState(path);
    if (reset) {
      await rm(begunPath(path), { force: true });
      return new StateFile(path, origin);
    }
    if (found === 'damaged') {
      throw new Failure(`${path} is empty or damaged. Start again with --reset.`);
    }
    const state = new StateFile(path, origin, found?.since);
    if (found === undefined) return state;
    if (!isOf(found, origin)) {
      throw new Failure(
        `${path} is the state of ${found.collection} of ${found.url}. Name another file, or start again with --reset.`,
      );
    }
    // If it cannot be written, nothing is delivered. Of a file that is not there yet, the first page shows that.
    await state.#write(path, found.since);
    return state;
  }

  get since(): string {
    return this.#since;
  }

  /**
   * Returns the token to save once a page is delivered. A start reports no deletions of before. So if the first page was
   * delivered, and its token not saved, the next run delivers it again and goes on from the token of the run before: it
   * reports what was deleted since then.
   * @param since the token of the page
   * @throws Failure if it cannot be saved: nothing is delivered then
   */
  async tokenAfter(since: string): Promise<string> {
    if (this.#since !== BEGINNING) return since;
    const path = begunPath(this.#path);
    const begun = await readState(path);
    if (typeof begun === 'object' && isOf(begun, this.#origin)) return begun.since;
    await this.#write(path, since);
    return since;
  }

  /** Saves a token. Whatever happens, the file has this one or the one before. @throws Failure if it cannot be written */
  async save(since: string): Promise<void> {
    if (since === this.#since) return;
    await this.#write(this.#path, since);
    if (this.#since === BEGINNING) await rm(begunPath(this.#path), { force: true });
    this.#since = since;
  }

  async #write(path: string, since: string): Promise<void> {
    try {
      await replaceFile(path, `${JSON.stringify({ ...this.#origin, since })}\n`);
    } catch (error) {
      throw new Failure(`${path} cannot be written: ${explained(error)}.`);
    }
  }
}

/** The path of the file with the token of a first page that may have been delivered. */
function begunPath(path: string): string {
  return `${path}.begun`;
}

function isOf(found: Origin, { url, collection }: Origin): boolean {
  return found.url === url && found.collection === collection;
}

/** Whether an answer or a file has a token that the service may have sent. */
export function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[!-~]{1,1000}$/.test(value);
}

/** Returns the path of the file that a link leads to, also of one that is not there yet. */
export async function followedLinks(path: string, most = MOST_LINKS): Promise<string> {
  const target = most === 0 ? undefined : await readlink(path).catch(() => undefined);
  if (target === undefined) return path;
  // Not resolved: `..` of a folder that is a link itself is that of its target.
  return followedLinks(isAbsolute(target) ? target : `${dirname(path)}/${target}`, most - 1);
}

/**
 * Returns what a file has; undefined if there is none.
 * @throws Failure if it cannot be read, or is another file, which must not be overwritten
 */
async function readState(
  path: string,
): Promise<(Origin & { readonly since: string }) | 'damaged' | undefined> {
  let text: string | undefined;
  try {
    text = (await readIfThere(path))?.toString();
  } catch (error) {
    throw new Failure(`${path}: ${explained(error)}. Name another file.`);
  }
  if (text === undefined) return undefined;
  const state = jsonIn(text);
  const [url, collection, since] = ['url', 'collection', 'since'].map((name): unknown =>
    Reflect.get(Object(state), name),
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
