import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, inject, it, onTestFinished } from 'vitest';
import type { Fault } from '../../../test/node/fault-proxy.ts';
import { temporaryFolder } from '../../../test/node/processes.ts';
import { startFaultProxy } from '../../../test/node/fault-proxy.ts';
import { item } from '../items.ts';
import { shop } from './command-shop.ts';
import { STOP_LIMIT } from './stopping.ts';

// Each signal ends the process within two seconds, whatever the service does. What a command does then, command-sync-interrupted
// and timeout-and-signal.test.ts say.

let stop: (() => void) | undefined;

afterEach(async () => {
  stop?.();
  await rm(STATE, { force: true });
});

/** A response that begins so, and then has one space after another. */
function dripping(beginning: string): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(beginning));
    },
    async pull(controller) {
      await setTimeout(50);
      controller.enqueue(encoder.encode(' '));
    },
  });
  return new Response(body, { headers: { 'Content-Type': 'application/json' } });
}

const drips: Fault = () => dripping('{"products":[');
const isSilent: Fault = () => new Promise(() => undefined);
const holdsWrites: Fault = (request, pass) =>
  request.method === 'GET' ? pass(request) : dripping('{');

const STATE = join(tmpdir(), `brand-api-${process.pid}.json`);
const SYNC = ['sync', '-', '--match', 'sku'];

/** Runs the command as a program on a service with a fault, until the request that has the fault has arrived. */
async function started(words: readonly string[], fault: Fault): Promise<ChildProcess> {
  const { brand } = await shop([item('A')]);
  const proxy = await startFaultProxy(brand.baseUrl);
  const child = spawn(inject('command'), words, {
    env: { ...process.env, BRAND_API_KEY: brand.apiKey, BRAND_API_URL: proxy.url },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  stop = () => {
    child.kill('SIGKILL');
    proxy.stop();
  };
  child.stdin.end(JSON.stringify([item('B')]));
  await new Promise<void>((resolve) => {
    proxy.fault = (request, pass) => {
      if (fault !== holdsWrites || request.method !== 'GET') resolve();
      return fault(request, pass);
    };
  });
  // The answer has begun, too.
  await setTimeout(200);
  return child;
}

it.each([
  ['whoami', ['whoami'], drips, 'SIGINT'],
  ['follow', ['follow', '--every', '1', '--state', STATE], isSilent, 'SIGHUP'],
  ['sync while it writes', SYNC, holdsWrites, 'SIGTERM'],
] as const)('A signal ends the command, with exit code 1: %s', async (_, words, fault, signal) => {
  const child = await started(words, fault);
  const before = performance.now();
  child.kill(signal);
  expect(await once(child, 'exit')).toEqual([1, null]);
  expect(performance.now() - before).toBeLessThan(STOP_LIMIT);
});

/** Starts a sync with --json of a file that takes several seconds to read, and more than a hundred megabytes. */
async function readingLargeFile(nodeOptions = ''): Promise<{
  readonly child: ChildProcess;
  readonly printed: Promise<[document: string, sentence: string]>;
}> {
  const { brand } = await shop();
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const path = join(folder.path, 'large.csv');
  const rows = Array.from({ length: 500_000 }, (_, index) => `product-${index},Product,1.00\n`);
  await writeFile(path, `Handle,Title,Variant Price\n${rows.join('')}`);
  const child = spawn(inject('command'), ['sync', path, '--json'], {
    env: {
      ...process.env,
      NODE_OPTIONS: nodeOptions,
      BRAND_API_KEY: brand.apiKey,
      BRAND_API_URL: brand.baseUrl,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  stop = () => child.kill('SIGKILL');
  return { child, printed: Promise.all([text(child.stdout), text(child.stderr)]) };
}

it('A signal ends the command while it computes, with the document of --json', async () => {
  const { child, printed } = await readingLargeFile();
  await setTimeout(1500);
  const before = performance.now();
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([1, null]);
  expect(performance.now() - before).toBeLessThan(STOP_LIMIT);
  const [document, sentence] = await printed;
  const error = 'Stopped before the end.';
  expect(JSON.parse(document)).toMatchObject({ created: 0, skipped: [], error });
  expect(sentence).toBe(`error: ${error}\n`);
});

it('Without enough memory, the document of --json comes all the same, and says how to give more', async () => {
  const { child, printed } = await readingLargeFile('--max-old-space-size=64');
  expect(await once(child, 'exit')).toEqual([1, null]);
  const [document, sentence] = await printed;
  const error: unknown = expect.stringMatching(
    /not enough memory.*NODE_OPTIONS=--max-old-space-size=/,
  );
  expect(JSON.parse(document)).toMatchObject({ created: 0, skipped: [], error });
  expect(sentence).toMatch(/^error: .*NODE_OPTIONS.*\n$/);
});

it('A second signal ends the command at once', async () => {
  const child = await started(SYNC, holdsWrites);
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  // The first one after the command has handled that is the second: it may be busy now.
  const again = setInterval(() => child.kill('SIGTERM'), 50);
  expect(await ended).toEqual([null, 'SIGTERM']);
  clearInterval(again);
});

it('A signal ends the command if nobody reads its output', async () => {
  const { brand, client } = await shop();
  await client.products.createMany(
    Array.from({ length: 500 }, () => ({ title: 'x'.repeat(255), priceCents: 1 })),
  );
  const child = spawn(inject('command'), ['list'], {
    env: { ...process.env, BRAND_API_KEY: brand.apiKey, BRAND_API_URL: brand.baseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  stop = () => child.kill('SIGKILL');
  await once(child.stdout, 'readable');
  await setTimeout(200);
  const before = performance.now();
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([1, null]);
  expect(performance.now() - before).toBeLessThan(STOP_LIMIT);
});
