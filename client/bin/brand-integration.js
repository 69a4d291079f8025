#!/usr/bin/env node
import { existsSync } from 'node:fs';
import module from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';

// In JavaScript, because the person's own Node runs it.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 3)) {
  process.stderr.write(
    `error: Node ${process.versions.node} is too old. Use Node 20.3 or later.\n`,
  );
  process.exit(1);
}

const here = new URL('.', import.meta.url);
const sources = new URL('../bundle.js', here);
if (existsSync(sources)) {
  // In a checkout, the command is what the sources say now, and its service is the one of `npm run dev`.
  process.env.BRAND_API_URL ??= 'http://localhost:8787';
  const { COMMAND } = await import(sources.href);
  const { cachedBundle } = await import(new URL('../../common/cached-bundle.js', here).href);
  const filename = fileURLToPath(new URL('../command.cjs', here));
  const text = await cachedBundle('brand-integration', COMMAND);
  const program = vm.compileFunction(text, ['require'], { filename });
  program(module.createRequire(filename));
} else {
  await import('../dist/command/main.cjs');
}
