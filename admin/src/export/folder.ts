import type { FileHandle } from 'node:fs/promises';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isId } from '../../../src/operator.ts';
import { CannotLock, tryLock } from '../../../common/file-lock.ts';
import { OperatorError } from '../../../common/operator-error.ts';
import { explained } from '../../../common/terminal/reason.ts';
import { inGroups } from '../database/pages.ts';
import type { BrandExport } from './export.ts';
import { fingerprintIn } from './fingerprint.ts';
import type { LargeFile } from './write-pieces.ts';
import { ONLY_OWNER } from '../text-file.ts';
import { isTooLarge, writePieces } from './write-pieces.ts';

/** What the name of a file ends with, behind the id of its brand, and until it is whole. */
const ENDING = '.json';
const UNTIL_WHOLE = '.json.part';

/** How many bytes of a file are read for its fingerprint. */
const HEAD = 512;

/** A file or folder cannot be read or written. So nothing else can. */
export class FolderFailure extends OperatorError {}

/** A folder with a file for each brand, which is there only when it is whole. */
export class ExportFolder {
  readonly #path: string;
  readonly #lock: FileHandle | undefined;

  private constructor(path: string, lock?: FileHandle) {
    [this.#path, this.#lock] = [path, lock];
  }

  /**
   * Opens a folder to read it.
   * @throws OperatorError if there is none
   */
  static async find(path: string): Promise<ExportFolder> {
    const folder = new ExportFolder(path);
    await folder.#brandIds();
    return folder;
  }

  /**
   * Opens a folder to write to it, until it is closed, and creates it if there is none. What a run left unfinished that was
   * killed is removed.
   * @throws OperatorError if another program writes to it
   */
  static async create(path: string): Promise<ExportFolder> {
    await accessing(path, () => mkdir(path, { recursive: true, mode: 0o700 }));
    const names = await accessing(path, () => readdir(path));
    const lock = await tryLock(join(path, '.lock')).catch((error: unknown) => {
      throw error instanceof CannotLock ? new OperatorError(error.message) : error;
    });
    if (lock === undefined)
      throw new OperatorError(`Another brand export writes to ${path}. Wait until it has ended.`);
    for (const name of names.filter((one) => one.endsWith(UNTIL_WHOLE))) {
      await accessing(path, () => rm(join(path, name), { force: true }));
    }
    return new ExportFolder(path, lock);
  }

  async close(): Promise<void> {
    await this.#lock?.close();
  }

  /** Returns the files of all brands but these. */
  async filesExcept(brands: ReadonlyMap<string, unknown>): Promise<string[]> {
    const ids = await this.#brandIds();
    return ids.filter((id) => !brands.has(id)).map((id) => this.#fileOf(id));
  }

  /** Returns the files that `brand import` cannot read. */
  async largeFiles(): Promise<LargeFile[]> {
    const files = (await this.#brandIds()).map((id) => this.#fileOf(id));
    const sizes = await inGroups(files, async (file) => {
      const { size: bytes } = await accessing(file, () => stat(file));
      return { file, bytes };
    });
    return sizes.filter(isTooLarge);
  }

  /** Returns the brands that it has a file of. */
  async #brandIds(): Promise<string[]> {
    const names = await accessing(this.#path, () => readdir(this.#path));
    return names
      .filter((name) => name.endsWith(ENDING))
      .map((name) => name.slice(0, -ENDING.length))
      .filter(isId);
  }

  #fileOf(brandId: string): string {
    return join(this.#path, brandId + ENDING);
  }

  /** Returns the fingerprint of what it has of a brand; undefined if there is none. */
  async fingerprintOf(brandId: string): Promise<string | undefined> {
    const path = this.#fileOf(brandId);
    try {
      const file = await open(path);
      try {
        const { bytesRead, buffer } = await file.read(new Uint8Array(HEAD));
        return fingerprintIn(new TextDecoder().decode(buffer.subarray(0, bytesRead)));
      } finally {
        await file.close();
      }
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw failure(path, error);
    }
  }

  /** Writes the file of a brand, in place of an older one. */
  async write(brandId: string, exported: BrandExport): Promise<void> {
    const file = this.#fileOf(brandId);
    const part = join(this.#path, brandId + UNTIL_WHOLE);
    try {
      await writePieces(await open(part, 'w', ONLY_OWNER), exported);
      await rename(part, file);
    } catch (error) {
      await rm(part, { force: true });
      throw failure(file, error);
    }
  }
}

async function accessing<T>(path: string, access: () => Promise<T>): Promise<T> {
  try {
    return await access();
  } catch (error) {
    throw failure(path, error);
  }
}

/** Returns what an error of the file system means; another one as it is. */
function failure(path: string, error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  const reason = code === 'EEXIST' || code === 'ENOTDIR' ? 'it is no folder' : explained(error);
  return new FolderFailure(`${path} cannot be used: ${reason}.`);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
