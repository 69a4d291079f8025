import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

// Builds the package: the library with its types, and the command in one file with the packages that it uses, because the
// package installs nothing else. In JavaScript, because the person's own Node reads its options in a checkout.

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** The options of esbuild for the command. */
export const COMMAND = {
  absWorkingDir: FOLDER,
  entryPoints: ['src/command/main.ts'],
  bundle: true,
  platform: 'node',
  // The packages are in CommonJS, and require modules of Node.
  format: 'cjs',
  target: 'node20.3',
  legalComments: 'none',
  // Escaped, the names of columns in many languages take twice the bytes.
  charset: 'utf8',
};

/** Builds the command as it is in the package. */
export function buildCommand(outfile) {
  return buildSync({ ...COMMAND, minify: true, metafile: true, outfile });
}

/** The options of esbuild for the library. What `push` and `sync` alone need is loaded when it is used. */
const LIBRARY = {
  absWorkingDir: FOLDER,
  entryPoints: ['src/index.ts', 'src/push.ts', 'src/sync/sync.ts'],
  bundle: true,
  splitting: true,
  platform: 'neutral',
  target: 'es2024',
  outdir: 'dist',
  chunkNames: 'shared-[hash]',
  // The names stay, for who reads a stack.
  minifyWhitespace: true,
  lineLimit: 120,
};

/** Returns the licences of the packages that files belong to. */
function licencesOf(files) {
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []);
  return [...new Set(folders)].sort().map((path) => {
    const folder = join(FOLDER, path);
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
    if (licence === undefined) throw new Error(`${name} has no file of its licence.`);
    return `${name} ${version}\n\n${readFileSync(join(folder, licence), 'utf8').trim()}\n`;
  });
}

/** Returns a file of types, and those that it imports. */
function withImported(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, path] of readFileSync(file, 'utf8').matchAll(/ from '(\..+)\.ts'/g)) {
    withImported(join(dirname(file), `${path}.d.ts`), found);
  }
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dist = join(FOLDER, 'dist');
  // The package must not have files of an earlier build.
  rmSync(dist, { recursive: true, force: true });
  const compiler = dirname(fileURLToPath(import.meta.resolve('@typescript/native/package.json')));
  execFileSync(process.execPath, [join(compiler, 'bin/tsc'), '-b', 'tsconfig.build.json'], {
    cwd: FOLDER,
    stdio: 'inherit',
  });
  const types = withImported(join(dist, 'index.d.ts'));
  for (const file of readdirSync(dist, { recursive: true })) {
    if (file.endsWith('.d.ts') && !types.has(join(dist, file))) rmSync(join(dist, file));
  }
  buildSync(LIBRARY);
  const outfile = join(dist, 'command/main.cjs');
  const { metafile } = buildCommand(outfile);
  const licences = licencesOf(Object.keys(metafile.inputs)).join('\n\n');
  writeFileSync(join(dist, 'command/LICENSES.txt'), licences);
}
