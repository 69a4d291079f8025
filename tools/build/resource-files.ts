import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const FOLDER = 'src/resources';

/** The paths of the resource files, in the order of their names. */
export async function resourceFiles(): Promise<string[]> {
  return (await readdir(FOLDER)).sort().map((name) => join(FOLDER, name));
}
