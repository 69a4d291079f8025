import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { collectionOf } from '../../client/src/command/service/collections.ts';
import { COLLECTION_NAMES, COLLECTIONS } from '../../client/src/fields.ts';
import { BrandClient } from '../../client/src/index.ts';
import { newApiKey } from '../../src/auth/api-key.ts';
import manifest from '../package.json' with { type: 'json' };
import { openDatabase } from '../src/database/connect.ts';
import { verify } from '../src/verify/verify.ts';
import { sharedOperations } from '../../test/support/document.ts';
import type { Fault, FaultProxy } from '../../test/node/fault-proxy.ts';
import { NO_FAULT, startFaultProxy } from '../../test/node/fault-proxy.ts';
import { all } from '../../client/test/outcomes.ts';
import type { Finished } from '../../test/node/processes.ts';
import { ADMIN, freePort, runWith } from '../../test/node/processes.ts';
import { takeSite } from '../../test/node/pool.ts';
import { runHere } from './admin-here.ts';
import type { Edge, Zone } from './edge.ts';
import { startEdge } from './edge.ts';

let server: Awaited<ReturnType<typeof takeSite>>;
let proxy: FaultProxy;
let client: BrandClient;
let edge: Edge;

beforeAll(async () => {
  server = await takeSite();
  proxy = await startFaultProxy(server.baseUrl);
  client = new BrandClient(server);
  edge = await startEdge(server.baseUrl);
  await client.products.create({ title: 'Not to be touched', priceCents: 1 });
});

afterEach(() => {
  proxy.fault = NO_FAULT;
});

afterAll(async () => {
  proxy.stop();
  await edge.stop();
});

/** All that the brand has. */
async function everything(): Promise<unknown> {
  const { data } = await client.profile.get();
  const lists = COLLECTION_NAMES.map((name) => all(collectionOf(client, name).list({})));
  return [data, ...(await Promise.all(lists))];
}

/** Verifies a service, and returns the report. */
async function report(url = proxy.url, apiKey = server.apiKey): Promise<[boolean, string]> {
  const lines: string[] = [];
  const { failed } = await verify({ url, apiKey, show: (line) => lines.push(line) });
  return [failed === 0, lines.join('\n')];
}

/** Answers some requests in the place of the service. */
const instead =
  (isMeant: (request: Request) => boolean, status: number, body: unknown = {}): Fault =>
  (request, pass) =>
    isMeant(request) ? Response.json(body, { status }) : pass(request);

/** What may be wrong with a deployment, and what the report says. */
const FAULTS: readonly (readonly [name: string, says: string, Fault])[] = [
  [
    'a change is not carried out',
    'PATCH /products/:id: It has not changed.',
    (request, pass) =>
      pass(request.method === 'PATCH' ? new Request(request, { body: '{}' }) : request),
  ],
  [
    'a filter is ignored',
    'GET /products: It is not the one that was created.',
    (request, pass) => pass(new Request(request.url.replace(/\?.*/, ''), request)),
  ],
  [
    'a deletion is not carried out',
    'nothing is left in /products: Still there: /products/',
    instead(({ method }) => method === 'DELETE', 200, { success: true }),
  ],
  [
    'a weak tag is refused',
    'PATCH /products/:id: PATCH',
    async (request, pass) => {
      if (request.headers.get('If-Match')?.startsWith('W/'))
        return new Response('', { status: 412 });
      const response = await pass(request);
      const tag = response.headers.get('ETag');
      if (tag !== null) response.headers.set('ETag', `W/${tag}`);
      return response;
    },
  ],
  [
    'If-Match is lost on the way',
    'answered 200 instead of 412',
    (request, pass) => {
      request.headers.delete('If-Match');
      return pass(request);
    },
  ],
  [
    'no key is needed',
    'no key is refused: GET /api/brand/v1/profile answered 200 instead of 401',
    instead(({ headers }) => !headers.has('Authorization'), 200),
  ],
  [
    'HSTS is missing',
    'headers: Strict-Transport-Security is missing.',
    async (request, pass) => {
      const response = await pass(request);
      response.headers.delete('Strict-Transport-Security');
      return response;
    },
  ],
  [
    'D1 gives bookmarks of another form',
    'a bookmark is taken back: There is no x-d1-bookmark. D1',
    async (request, pass) => {
      const response = await pass(request);
      response.headers.delete('x-d1-bookmark');
      return response;
    },
  ],
  [
    'a bookmark is refused',
    'a bookmark is taken back: GET /api/brand/v1/profile answered 400 instead of 200.',
    (request, pass) =>
      request.headers.has('x-d1-bookmark') ? new Response('', { status: 400 }) : pass(request),
  ],
  [
    'another version is deployed',
    'openapi.json is the one of this project: It differs.',
    async (request, pass) => {
      const response = await pass(request);
      return new Response((await response.text()).replace('"3.1', '"3.0'), response);
    },
  ],
  [
    'the reference page is missing',
    'the reference page: GET /docs answered 404 instead of 200',
    instead(({ url }) => url.endsWith('/docs'), 404),
  ],
];

it('`verify` passes, with a line for each operation, and leaves nothing behind', async () => {
  const before = await everything();
  const [passed, lines] = await report();
  expect(passed, lines).toBe(true);
  for (const operation of sharedOperations) {
    const line = `passed  ${operation.replace(/\{.*\}/, ':id')} (`;
    expect(
      lines,
      'in admin/src/verify/checks.ts, add a check of the operation; for a new collection, in admin/src/verify/resources.ts what a run creates',
    ).toContain(line);
  }
  expect(await everything()).toEqual(before);
});

it.each(FAULTS)('`verify` reports each fault: %s', async (_, says, fault) => {
  const before = await everything();
  proxy.fault = fault;
  const [passed, lines] = await report();
  expect(passed).toBe(false);
  const failures = lines.split('\n').filter((line) => line.startsWith('FAILED'));
  expect(failures.some((line) => line.includes(says))).toBe(true);
  // The run could not remove what it created.
  for (const collection of COLLECTION_NAMES.map((name) => client[COLLECTIONS[name].key])) {
    for await (const { id } of collection.list()) {
      if (!JSON.stringify(before).includes(id)) await collection.delete(id);
    }
  }
  expect(await everything()).toEqual(before);
});

it('`verify` shows no key, even if the service sends it back', async () => {
  proxy.fault = () => Response.json(server.apiKey, { status: 500 });
  const [, lines] = await report();
  expect(lines).toMatch(/^FAILED {2}GET \/profile: .*bik_…/);
  expect(lines).not.toContain(server.apiKey);
});

it('`verify` waits while Cloudflare does not know a new address, and says so once', async () => {
  let unknown = 2;
  proxy.fault = (request, pass) =>
    unknown-- > 0 ? new Response('error code: 523', { status: 523 }) : pass(request);
  const [passed, lines] = await report();
  expect(passed, lines).toBe(true);
  expect(lines.match(/^waiting .*/gm)).toEqual([
    'waiting The address answers 523. Cloudflare needs some minutes for a new address: up to five.',
  ]);
});

it('`verify` gives a new address up after five minutes', async () => {
  const seen = proxy.seen.length;
  vi.useFakeTimers({ toFake: ['Date'] });
  proxy.fault = () => {
    vi.setSystemTime(Date.now() + 301_000);
    return new Response('error code: 523', { status: 523 });
  };
  const [, lines] = await report();
  vi.useRealTimers();
  expect(lines).toMatch(/^waiting .*\nFAILED {2}GET \/profile: .*523 instead of 200\..*$/);
  expect(proxy.seen.slice(seen)).toEqual(['GET /', 'GET /api/brand/v1/profile']);
});

it('`verify` names itself, but where it tries other names', async () => {
  const agents = new Set<string | null>();
  proxy.fault = (request, pass) => {
    agents.add(request.headers.get('User-Agent'));
    return pass(request);
  };
  await report();
  const own = `brand-admin/${manifest.version} (verify)`;
  expect(agents).toEqual(new Set([own, null, 'Python-urllib/3.14', 'curl/8.16.0']));
});

it('`verify` stops at the first read if nothing answers, or the key is refused', async () => {
  const [, nowhere] = await report(`http://127.0.0.1:${await freePort()}`);
  expect(nowhere).toMatch(/^FAILED {2}GET \/profile: .*ECONNREFUSED.*$/);
  const [, refused] = await report(proxy.url, newApiKey());
  expect(refused).toMatch(/^FAILED {2}GET \/profile: .*401.*Invalid API key\..*$/);
});

it('`verify` ends with the number of checks', async () => {
  const run = (url: string, apiKey = server.apiKey): Promise<Finished> => {
    vi.stubEnv('BRAND_API_KEY', apiKey);
    return runHere(['verify', url], openDatabase);
  };
  const passed = await run(proxy.url);
  const count = passed.stdout.match(/^passed /gm)?.length ?? 0;
  expect(count).toBeGreaterThan(20);
  expect([passed.code, passed.stdout]).toEqual([
    0,
    expect.stringMatching(`\n${count} checks passed\n$`),
  ]);
  const failed = await run(`http://127.0.0.1:${await freePort()}`);
  expect([failed.code, failed.stderr]).toEqual([1, 'error: 1 of 1 checks failed.\n']);
  for (const wrong of [await run(proxy.url, 'x'), await run('nonsense')]) {
    expect([wrong.code, wrong.stdout]).toEqual([2, '']);
  }
  vi.unstubAllEnvs();
});

it('`verify` deletes what it created when it is stopped', async () => {
  const before = await everything();
  const [command, ...args] = ADMIN;
  const env = { ...process.env, BRAND_API_KEY: server.apiKey };
  const child = spawn(command, [...args, 'verify', proxy.url], { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  proxy.fault = async (request, pass) => {
    // In progress when the signal arrives: the service still creates the resource.
    if (request.method === 'POST') {
      child.kill('SIGINT');
      await setTimeout(300);
    }
    return pass(request);
  };
  expect(await ended).toEqual([130, null]);
  expect(proxy.seen.filter((request) => request.startsWith('DELETE'))).not.toEqual([]);
  expect(await everything()).toEqual(before);
});

/** Verifies the service in a zone, as an operator does. */
async function verifyIn(zone: Zone): Promise<Finished & { readonly failures: string[] }> {
  edge.zone = zone;
  const variables = { BRAND_API_KEY: server.apiKey, NODE_EXTRA_CA_CERTS: edge.certificate };
  const finished = await runWith(variables, ...ADMIN, 'verify', edge.url);
  return {
    ...finished,
    failures: finished.stdout.split('\n').filter((line) => line.startsWith('FAILED')),
  };
}

it.each<[string, Zone, number]>([
  ['the edge says the scheme, and the service refuses', { saysScheme: true }, 0],
  ['the edge redirects, once a new address has its certificate', { alwaysUseHttps: true }, 2],
])('`verify` passes behind the edge if plain HTTP is refused: %s', async (_, zone, unknown) => {
  edge.unknown = unknown;
  const { code, stdout, failures } = await verifyIn(zone);
  expect(failures).toEqual([]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/\n\d+ checks passed\n$/)]);
  expect(stdout).toContain('passed  plain HTTP is refused');
  expect(edge.unknown).toBe(0);
  expect(stdout.match(/^waiting .*/gm)).toEqual(
    unknown === 0
      ? null
      : [expect.stringContaining('waiting The address has no certificate. Cloudflare needs')],
  );
});

it('`verify` fails behind the edge if plain HTTP is served, and if clients are refused by their names, and not by its own', async () => {
  const { code, failures } = await verifyIn({ browserIntegrityCheck: true });
  const faults = [
    /plain HTTP is refused: .* answered 401, .*Always Use HTTPS/,
    /a client without a User-Agent: .*Turn off Browser Integrity Check/,
    /the User-Agent of Python: .*Turn off Browser Integrity Check/,
  ];
  expect([code, failures.length]).toEqual([1, faults.length]);
  for (const fault of faults) expect(failures).toContainEqual(expect.stringMatching(fault));
});
