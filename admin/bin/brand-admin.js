#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';

// Runs what the sources say now, bundled by esbuild. In JavaScript, because any Node may start it, before `npm ci` too.

const ROOT = new URL('../../', import.meta.url);
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

/** Ends the program with a sentence. */
function fail(sentence) {
  process.stderr.write(`error: ${sentence}\n`);
  // A monitor tells what status has found from that it could not look.
  process.exit(process.argv[2] === 'status' ? 3 : 1);
}

// npm writes this file at the end of an installation.
if (!existsSync(new URL('node_modules/.package-lock.json', ROOT))) fail('Run npm ci first.');
// As wrangler does.
if (major < 22 || (major === 22 && minor < 15)) {
  fail(
    `Node ${process.versions.node} is too old. Run npx --offline brand-admin, which uses the Node of this project.`,
  );
}

// wrangler loads in half the time if its compiled code is kept. The variable is for the processes that this one starts.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/node/', ROOT));
module.enableCompileCache(process.env.NODE_COMPILE_CACHE);

const { dependencies, devDependencies } = JSON.parse(
  readFileSync(new URL('package.json', ROOT), 'utf8'),
);
// Loaded here, because nothing is installed before `npm ci`.
const { buildSync } = await import('esbuild');
const {
  outputFiles: [{ text }],
} = buildSync({
  absWorkingDir: fileURLToPath(ROOT),
  entryPoints: ['admin/src/main.ts'],
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  // drizzle has 100 modules, which Node loads in a second. The other packages load faster than they are bundled.
  external: Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) => name !== 'drizzle-orm',
  ),
  // Only this file asks where it is.
  define: { 'import.meta.url': JSON.stringify(new URL('common/wrangler/wrangler.ts', ROOT).href) },
  legalComments: 'none',
  write: false,
});
const filename = fileURLToPath(new URL('admin/src/main.cjs', ROOT));
const program = vm.compileFunction(text, ['require'], {
  filename,
  importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
program(module.createRequire(filename));
