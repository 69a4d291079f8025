import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

// Bundles the command into one file, with the packages that it uses: the package of the client installs nothing else.
// In JavaScript, because the person's own Node reads its options in a checkout.

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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dist = join(FOLDER, 'dist');
  // The package must not have files of an earlier build.
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(join(dist, 'command'), { recursive: true });
  const { buildSync } = await import('esbuild');
  const outfile = join(dist, 'command/main.cjs');
  const { metafile } = buildSync({ ...COMMAND, minify: true, metafile: true, outfile });
  const licences = licencesOf(Object.keys(metafile.inputs)).join('\n\n');
  writeFileSync(join(dist, 'command/LICENSES.txt'), licences);
}
