#!/usr/bin/env node
import { existsSync, writeSync } from 'node:fs';
import process from 'node:process';
import { Worker } from 'node:worker_threads';

// In JavaScript, because the person's own Node runs it.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 3)) {
  process.stderr.write(
    `error: Node ${process.versions.node} is too old. Use Node 20.3 or later.\n`,
  );
  process.exit(1);
}

/** How long the command may take to end after a signal, in milliseconds: longer than what it waits for itself. */
const PATIENCE = 1900;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

// The command runs in a thread of its own, and this one computes nothing. So a signal is heard, whatever the command computes.
let command;
/** The JSON document that it leaves to be printed if it cannot end by itself. */
let report = '';
for (const signal of SIGNALS) process.on(signal, stop);
command = await started({
  argv: process.argv.slice(2),
  // What is young moves to the old at once: too much of it would end the process, and not the thread alone.
  resourceLimits: { maxYoungGenerationSizeMb: 16 },
  ...withProxies(),
});
command.on('message', (text) => {
  report = text;
});
command.on('exit', (code) => {
  process.exitCode = code;
});
command.on('error', (error) => {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
  fail(
    'Node has not enough memory for this. Give it more, such as NODE_OPTIONS=--max-old-space-size=8192.',
  );
});

function stop() {
  // A second signal ends the process at once.
  for (const signal of SIGNALS) process.off(signal, stop);
  command?.postMessage('stop');
  // It may compute something, or nobody may read its output.
  setTimeout(() => {
    fail('Stopped before the end.');
    process.exit(1);
  }, PATIENCE).unref();
}

/** Says for the command why it did not end. */
function fail(reason) {
  if (report !== '')
    print(1, `${JSON.stringify({ ...JSON.parse(report), error: reason }, null, 2)}\n`);
  print(2, `error: ${reason}\n`);
}

/** Prints a text if there is room for it: the thread has made the streams of the process such that nothing waits for a reader. */
function print(fd, text) {
  try {
    writeSync(fd, text);
  } catch {
    // Nobody reads it.
  }
}

/** Returns the options of a thread that uses the proxies that the environment names, if this Node can. */
function withProxies() {
  const names = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'];
  const named = names.filter((name) => process.env[name]);
  if (named.length === 0 || !process.allowedNodeEnvironmentFlags.has('--use-env-proxy')) return {};
  for (const name of named) {
    if (/^https?:\/\//i.test(process.env[name]) && URL.canParse(process.env[name])) continue;
    fail(`${name} is no address of a proxy such as http://proxy.example:3128.`);
    process.exit(2);
  }
  const direct = process.env.no_proxy ?? process.env.NO_PROXY ?? '';
  // What runs on this machine is not behind a proxy.
  const no_proxy = direct.trim() === '*' ? direct : `${direct},localhost,127.0.0.1,[::1]`;
  return { execArgv: ['--use-env-proxy'], env: { ...process.env, no_proxy } };
}

async function started(options) {
  const sources = new URL('../bundle.js', import.meta.url);
  if (!existsSync(sources)) {
    return new Worker(new URL('../dist/command/main.cjs', import.meta.url), options);
  }
  // In a checkout, the command is what the sources say now, and its service is the one of `npm run dev`.
  (options.env ?? process.env).BRAND_API_URL ??= 'http://localhost:8787';
  const { COMMAND } = await import(sources.href);
  const { buildSync } = await import('esbuild');
  const { outputFiles } = buildSync({ ...COMMAND, write: false });
  return new Worker(outputFiles[0].text, { ...options, eval: true });
}
