import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isId } from '../../../src/operator.ts';
import { replaceFile } from '../../../common/durable-file.ts';
import { tryLock } from '../../../common/file-lock.ts';
import { Failure } from '../../../common/failure.ts';
import { explained } from '../../../common/terminal/reason.ts';
import { onDatabases } from '../database/on-databases.ts';
import type { BrandExport } from './export.ts';
import { ending, ENDING_LENGTH, fingerprintIn } from './fingerprint.ts';
import type { LargeFile } from './texts.ts';
import { ONLY_OWNER } from '../text-file.ts';
import { isTooLarge, textsOf } from './texts.ts';

/** What the name of a file ends with, behind the id of its brand. */
const ENDING = '.json';

/** The name of a file that a killed run has begun, after the id of its brand. */
const BEGUN = /^\.json\.[0-9a-f-]{36}\.new$/;

/** The length of an id. */
const ID_LENGTH = 36;

/** How many bytes of a file have its fingerprint. */
const HEAD = 512;

/** A file or folder cannot be read or written. So nothing else can. */
export class FolderFailure extends Failure {}

/** A folder with a file for each brand, which is there only when it is whole. */
export class ExportFolder {
  readonly #path: string;
  readonly #lock: FileHandle | undefined;

  private constructor(path: string, lock?: FileHandle) {
    [this.#path, this.#lock] = [path, lock];
  }

  /**
   * Opens a folder to read it.
   * @throws Failure if there is none
   */
  static async find(path: string): Promise<ExportFolder> {
    const folder = new ExportFolder(path);
    await folder.#brandIds();
    return folder;
  }

  /**
   * Opens a folder to write to it, until it is closed, and creates it if there is none. What a run left unfinished that was
   * killed is removed.
   * @throws Failure if another program writes to it
   */
  static async create(path: string): Promise<ExportFolder> {
    await accessing(path, () => mkdir(path, { recursive: true, mode: 0o700 }));
    const names = await accessing(path, () => readdir(path));
    const lock = await tryLock(join(path, '.lock'));
    if (lock === undefined)
      throw new Failure(`Another brand export writes to ${path}. Wait until it has ended.`);
    for (const name of names.filter(isBegun)) {
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
    const sizes = await onDatabases(files, async (file) => {
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

  /** Returns the fingerprint of what it has of a brand; undefined if there is none, or if its file is damaged. */
  async fingerprintOf(brandId: string): Promise<string | undefined> {
    const path = this.#fileOf(brandId);
    try {
      return (await isIntact(path)) ? fingerprintIn(await headOf(path)) : undefined;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw failure(path, error);
    }
  }

  /** Writes the file of a brand, in place of an older one. */
  async write(brandId: string, exported: BrandExport): Promise<void> {
    const file = this.#fileOf(brandId);
    try {
      await replaceFile(file, textsOf(exported), { mode: ONLY_OWNER });
    } catch (error) {
      throw failure(file, error);
    }
  }
}

function isBegun(name: string): boolean {
  return isId(name.slice(0, ID_LENGTH)) && BEGUN.test(name.slice(ID_LENGTH));
}

async function headOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(new Uint8Array(HEAD));
    return new TextDecoder().decode(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/** Whether a file has the checksum with which it ends. */
async function isIntact(path: string): Promise<boolean> {
  const { size } = await stat(path);
  const end = size - ENDING_LENGTH;
  if (end < 1) return false;
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path, { end: end - 1 })) hash.update(bytesOf(bytes));
  let found = '';
  for await (const bytes of createReadStream(path, { start: end })) found += String(bytes);
  return found === ending(hash.digest('hex'));
}

/** A stream without an encoding has bytes alone. */
function bytesOf(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw new TypeError('A stream of bytes has another value.');
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
