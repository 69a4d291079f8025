import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The commands of a checkout are what their sources say now. A bundle is kept for the next start, which takes a third of
// the time then. In JavaScript, because any Node may run it.

const CACHE = fileURLToPath(new URL('../node_modules/.cache/bundles/', import.meta.url));

/**
 * Bundles a program with esbuild, unless its files are as they were the last time.
 * @param name names the program in the cache
 * @param options those of esbuild, with `absWorkingDir`
 * @returns the text of the program
 */
export async function cachedBundle(name, options) {
  const file = join(CACHE, `${name}.json`);
  const cached = read(file);
  if (cached !== undefined && isCurrent(cached, options)) return cached.text;

  const begun = Date.now();
  const { buildSync } = await import('esbuild');
  const { metafile, outputFiles } = buildSync({ ...options, metafile: true, write: false });
  const [{ text }] = outputFiles;
  const inputs = Object.keys(metafile.inputs).map((input) => stampOf(options, input));
  // A file that was changed meanwhile may be in the bundle as it was before.
  if (inputs.every(([, changed]) => changed < begun)) write(file, { options, inputs, text });
  return text;
}

/** The path of a file, when it was changed, and its size. */
function stampOf({ absWorkingDir }, input) {
  const { mtimeMs, size } = statSync(join(absWorkingDir, input));
  return [input, mtimeMs, size];
}

function isCurrent({ options: of, inputs }, options) {
  try {
    const stamps = inputs.map(([input]) => stampOf(options, input));
    return JSON.stringify([of, inputs]) === JSON.stringify([options, stamps]);
  } catch {
    // A file is gone.
    return false;
  }
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Writes a file as a whole. Nothing is lost if the folder is read-only. */
function write(file, content) {
  const whole = `${file}.${randomUUID()}`;
  try {
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(whole, JSON.stringify(content));
    renameSync(whole, file);
  } catch {
    // It is bundled again then.
  }
}
