import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

// Bundles the command into one file, with the packages that it uses: the package of the client installs nothing else.
// In JavaScript, because the person's own Node runs it in a checkout.

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/**
 * Bundles the command.
 * @returns the program in CommonJS, and the paths of the files that are in it
 */
export function bundleCommand({ minify = false } = {}) {
  const { metafile, outputFiles } = buildSync({
    absWorkingDir: FOLDER,
    entryPoints: ['src/command/main.ts'],
    bundle: true,
    minify,
    platform: 'node',
    // The packages are in CommonJS, and require modules of Node.
    format: 'cjs',
    target: 'node20.3',
    legalComments: 'none',
    metafile: true,
    write: false,
  });
  return { code: outputFiles[0].text, inputs: Object.keys(metafile.inputs) };
}

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
  const { code, inputs } = bundleCommand({ minify: true });
  writeFileSync(join(dist, 'command/main.cjs'), code);
  writeFileSync(join(dist, 'command/LICENSES.txt'), licencesOf(inputs).join('\n\n'));
}
