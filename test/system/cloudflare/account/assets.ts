import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { ApiFailure } from './envelope.ts';

const manifest = z.record(z.string(), z.object({ hash: z.string(), size: z.number() }));
type Manifest = z.infer<typeof manifest>;

interface Session {
  readonly manifest: Manifest;
  readonly missing: Set<string>;
}

/** The body that begins an upload. */
export const sessionRequest = z.object({ manifest });

/** Static assets as they are uploaded: a manifest, then the files that are not there yet, then a token for the Worker that has them. */
export class Assets {
  readonly #folder: string;
  /** In base64, as they come. */
  readonly #files = new Map<string, string>();
  readonly #sessions = new Map<string, Session>();

  /** @param folder where the assets of each upload are laid out */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Begins an upload, and tells which files are wanted. */
  begin(files: Manifest): { jwt: string; buckets: string[][] } {
    const missing = new Set(
      Object.values(files)
        .map(({ hash }) => hash)
        .filter((hash) => !this.#files.has(hash)),
    );
    const jwt = randomUUID();
    this.#sessions.set(jwt, { manifest: files, missing });
    return { jwt, buckets: missing.size === 0 ? [] : [[...missing]] };
  }

  /**
   * Takes files, by their hash and in base64.
   * @returns the token of the whole, once all are there
   */
  take(jwt: string, files: Iterable<readonly [hash: string, content: string]>): { jwt?: string } {
    const { missing } = this.#session(jwt);
    for (const [hash, content] of files) {
      if (!missing.delete(hash)) throw new ApiFailure(400, 10000, `Nobody asked for asset ${hash}`);
      this.#files.set(hash, content);
    }
    return missing.size === 0 ? { jwt } : {};
  }

  /**
   * Lays the assets of an upload out in a folder, with the files in which miniflare looks for the rules that come in the metadata.
   * @returns the folder
   */
  async layOut(jwt: string, rules: Readonly<Record<string, string>>): Promise<string> {
    const folder = join(this.#folder, randomUUID());
    for (const [path, { hash }] of Object.entries(this.#session(jwt).manifest)) {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, this.#files.get(hash) ?? '', 'base64');
    }
    for (const [name, content] of Object.entries(rules))
      await writeFile(join(folder, name), content);
    return folder;
  }

  #session(jwt: string): Session {
    const session = this.#sessions.get(jwt);
    if (session === undefined) throw new ApiFailure(401, 10000, 'Unknown assets token');
    return session;
  }
}
