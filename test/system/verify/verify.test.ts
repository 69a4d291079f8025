import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VerifyOptions } from '../../../tools/verify/verify.ts';
import { Contract } from '../../../tools/verify/contract.ts';
import { verify } from '../../../tools/verify/verify.ts';
import { BrandClient } from '../../../client/src/index.ts';
import { startEdge } from '../../node/edge.ts';
import { all } from '../../node/outcomes.ts';
import { generateApiKey } from '../../../src/auth/api-key.ts';
import { migratedFolder } from '../../node/pool.ts';
import type { Finished, TemporaryFolder } from '../../node/processes.ts';
import {
  AdminTool,
  DevServer,
  freePort,
  runScriptWith,
  scriptWords,
} from '../../node/processes.ts';
import type { FaultProxy } from '../../node/fault-proxy.ts';
import { startFaultProxy } from '../../node/fault-proxy.ts';
import { faults } from './faults.ts';

let folder: TemporaryFolder;
let server: DevServer;
let proxy: FaultProxy;
let client: BrandClient;
let apiKey: string;
let readKey: string;
let service: string;

beforeAll(async () => {
  folder = await migratedFolder();
  const port = await freePort();
  server = await DevServer.start(port, folder.path);
  const admin = new AdminTool(folder.path);
  const brand = await admin.json('brand', 'create', 'Verified');
  const reader = await admin.json('key', 'issue', String(brand['brandId']), '--scope', 'read');
  apiKey = String(brand['apiKey']);
  readKey = String(reader['apiKey']);
  service = `http://127.0.0.1:${port}`;
  proxy = await startFaultProxy(service);
  client = new BrandClient({ apiKey, baseUrl: service });
  await client.products.createMany([
    { title: 'Not to be touched', priceCents: 1 },
    { title: 'Nor this', priceCents: 2 },
  ]);
});

afterAll(async () => {
  proxy.stop();
  await server.kill();
  await folder.remove();
});

/** All that the brand has. */
async function everything(): Promise<unknown> {
  const { data } = await client.getProfile();
  return [
    { ...data, brand: { ...data.brand, updatedAt: '' } },
    await all(client.products.list()),
    await all(client.couponCodes.list()),
  ];
}

function report(options: Partial<VerifyOptions> = {}): ReturnType<typeof verify> {
  return verify({ url: proxy.url, apiKey, ...options });
}

describe('Verifying a good service', () => {
  it('passes, reports what it skips, and leaves nothing behind', async () => {
    proxy.fault = {};
    const before = await everything();
    const { passed, checks, latency } = await report();
    expect(checks.filter(({ status }) => status === 'failed')).toEqual([]);
    expect(passed).toBe(true);
    for (const { problems } of checks.filter(({ status }) => status === 'skipped')) {
      expect(problems.join()).not.toBe('');
    }
    expect(latency?.p50).toBeGreaterThan(0);
    expect(await everything()).toEqual(before);
  });

  it('passes behind an edge that compresses and weakens tags, and notes it', async () => {
    const edge = await startEdge({ upstream: service });
    try {
      const { checks } = await report({ url: edge.url });
      expect(checks.filter(({ status }) => status === 'failed')).toEqual([]);
      expect(checks.find(({ name }) => name === 'ETag and If-Match')?.notes.join()).toMatch(
        /(?:br|gzip), weak tag/,
      );
    } finally {
      await edge.close();
    }
  });
});

describe('What somebody else changes during a run', () => {
  const change = (lastSyncError: string): Promise<unknown> =>
    client.updateProfile({ connection: { lastSyncError } });

  async function lastSyncError(): Promise<unknown> {
    return (await client.getProfile()).data.connection.lastSyncError;
  }

  it('after the check of the profile is not undone', async () => {
    proxy.fault = {
      request: async ({ method }) => {
        if (method === 'POST') await change('after');
        return undefined;
      },
    };
    expect((await report({ only: ['profile', 'products'] })).passed).toBe(true);
    expect(await lastSyncError()).toBe('after');
  });

  it('within that check is not undone, and ends it', async () => {
    for (const write of ['PUT', 'PATCH']) {
      proxy.fault = {
        request: async ({ method }) => {
          if (method === write) await change(write);
          return undefined;
        },
      };
      const { checks, passed } = await report({ only: ['profile'] });
      expect([passed, checks[0]?.status]).toEqual([true, 'skipped']);
      expect(await lastSyncError()).toBe(write);
    }
  });

  it('after the run changed the profile by mistake is not undone, and is reported', async () => {
    const mistake = faults['PUT of the profile changes it']?.request;
    proxy.fault = {
      request: async (request) => {
        if (request.method === 'POST') await change('theirs');
        await mistake?.(request);
        return undefined;
      },
    };
    const { checks } = await report({ only: ['profile', 'products'] });
    expect(checks.at(-1)?.problems.join()).toContain('it stays as it is now');
    expect(await lastSyncError()).toBe('theirs');
    proxy.fault = {};
    await client.updateProfile({ connection: { syncEnabled: false, lastSyncError: null } });
  });

  it('after a write whose answer is lost is not undone, and is reported', async () => {
    proxy.fault = {
      request: async ({ method, path }) => {
        if (method !== 'PUT' || !path.endsWith('/profile')) return undefined;
        await change('theirs');
        return { status: 502, headers: new Headers(), body: '<h1>Bad gateway</h1>' };
      },
    };
    const { checks } = await report({ only: ['profile'] });
    expect(checks.at(-1)?.problems.join()).toContain('it stays as it is now');
    expect(await lastSyncError()).toBe('theirs');
  });

  it('does not make a service good whose precondition never holds', async () => {
    proxy.fault = {
      request: ({ method, path }) =>
        method === 'PUT' && path.endsWith('/profile')
          ? { status: 412, headers: new Headers(), body: '{"error":"Precondition failed"}' }
          : undefined,
    };
    const { checks } = await report({ only: ['profile'] });
    expect(checks[0]?.problems.join()).toContain('PUT /api/brand/v1/profile: 412, expected 200');
  });
});

describe('Verifying a broken service', () => {
  // Features that the document does not have yet are not tested.
  const contract = Contract.ofProject();
  const isThere: Readonly<Record<string, boolean>> = {
    since: contract.hasParameter('GET', '/products', 'since'),
    dryRun: contract.hasParameter('POST', '/products', 'dryRun'),
  };

  it.for(Object.entries(faults))('reports that %s', async ([, fault], { skip }) => {
    skip(isThere[fault.check.split(': ')[1] ?? ''] === false, 'The service cannot do this yet.');
    proxy.fault = fault;
    const before = await everything();
    const { passed, checks } = await report({ only: [fault.during ?? '', fault.check] });
    expect(passed).toBe(false);
    const found = checks.find(({ name }) => name === fault.check);
    expect(found?.problems.join('\n')).toMatch(fault.says);
    proxy.fault = {};
    if (fault.leaves) await removeAll();
    expect(await everything()).toEqual(before);
  });
});

describe('npm run verify', () => {
  const variables = (): NodeJS.ProcessEnv => ({ BRAND_API_KEY: apiKey });
  const run = (...args: string[]): Promise<Finished> =>
    runScriptWith(variables(), 'verify', '--url', proxy.url, ...args);

  it('shows a table, and exits with 0', async () => {
    proxy.fault = {};
    const { code, stdout, stderr } = await run();
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/coupon-codes +│ passed/);
    expect(stdout).toMatch(/HTTPS +│ skipped +│ +\d+ +│ The address begins with http:/);
    expect(stdout).toContain(' 0 failed');
  });

  it('prints one JSON document for a monitor, and exits with 1 and the list of failures', async () => {
    proxy.fault = faults['X-Request-Id is missing'] ?? {};
    const { code, stdout } = await run('--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ url: proxy.url, passed: false });
    const table = await run();
    expect(table.code).toBe(1);
    expect(table.stderr).toContain(
      'profile: GET /api/brand/v1/profile: 200: the header X-Request-Id is missing',
    );
  });

  it('shows no key, even if the service sends it back', async () => {
    proxy.fault = {
      response: ({ headers }) => {
        headers.set('Cache-Control', apiKey);
      },
    };
    const { checks } = await report({ only: ['profile'] });
    expect(checks[0]?.problems.join()).toContain('the header Cache-Control is bik_…');
    expect(JSON.stringify(checks)).not.toContain(apiKey);
  });

  it('checks what a key with the scope read can do', async () => {
    proxy.fault = {};
    const readOnly = await report({ apiKey: readKey, readOnly: true });
    expect(readOnly.passed).toBe(true);
    expect(readOnly.checks.find(({ name }) => name === 'reads')?.status).toBe('passed');
    const unexpected = await report({ apiKey: readKey, only: ['scope of the key'] });
    expect(unexpected.checks[0]?.problems.join()).toContain('--read-only');
  });

  it('names the one cause if the service refuses the key', async () => {
    proxy.fault = {};
    const unknown = { BRAND_API_KEY: generateApiKey() };
    const { code, stderr } = await runScriptWith(unknown, 'verify', '--url', proxy.url);
    expect(code).toBe(1);
    expect(stderr).toContain('refuses the key in BRAND_API_KEY');
  });

  it('names the one cause if the brand is suspended', async () => {
    proxy.fault = {};
    const admin = new AdminTool(folder.path);
    const suspended = await admin.json('brand', 'create', 'Suspended');
    await admin.json('brand', 'suspend', String(suspended['brandId']));
    const key = { BRAND_API_KEY: String(suspended['apiKey']) };
    const { code, stderr } = await runScriptWith(key, 'verify', '--url', proxy.url);
    expect(code).toBe(1);
    expect(stderr).toContain('has suspended the brand of the key');
    const scope = 'PATCH /api/brand/v1/profile: 403, expected 200. This brand is suspended.';
    expect(stderr).toContain(`scope of the key: ${scope}`);
  });

  it('fails if reads are slower than the limit', async () => {
    proxy.fault = {};
    const { checks } = await report({ maxP95: 0, only: ['latency'] });
    expect(checks[0]?.problems).toEqual(['p95 is above 0 ms']);
  });

  it('reports invalid options in one sentence', async () => {
    const nowhere = await runScriptWith(variables(), 'verify', '--url', 'http://127.0.0.1:9');
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining('fetch failed')]);
    const noKey = await runScriptWith({ BRAND_API_KEY: '' }, 'verify', '--url', proxy.url);
    expect([noKey.code, noKey.stderr]).toEqual([1, expect.stringContaining('BRAND_API_KEY')]);
    const broken = await runScriptWith({ BRAND_API_KEY: 'bik_…' }, 'verify', '--url', proxy.url);
    expect([broken.code, broken.stderr]).toEqual([
      1,
      expect.stringMatching(/^error: BRAND_API_KEY is not an API key\. [^\n]+\n$/),
    ]);
    const noNumber = await run('--max-p95', '200ms');
    expect([noNumber.code, noNumber.stderr]).toEqual([
      1,
      expect.stringContaining('Expected a number of milliseconds'),
    ]);
    const noUrl = await run('--url', 'api.example.com');
    expect([noUrl.code, noUrl.stderr]).toEqual([
      1,
      expect.stringContaining('https://api.example.com'),
    ]);
  });

  it('says in one sentence that nothing answers at the address, and stops', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const sentence = `fetch failed: connect ECONNREFUSED ${url.slice('http://'.length)}`;
    expect(await runScriptWith(variables(), 'verify', '--url', url)).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: ${url} does not answer: ${sentence}\n`,
    });
    const { code, stdout } = await runScriptWith(variables(), 'verify', '--url', url, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ url, passed: false, latency: null },
      checks: [{ name: 'address', status: 'failed', problems: [sentence] }],
    });
  });

  /** Calls a function while the service creates a product, and waits until it has. */
  async function duringCreation(interrupt: () => void): Promise<void> {
    const created = Promise.withResolvers<undefined>();
    proxy.fault = {
      // In progress when the signal arrives: the service still creates the resource.
      request: async ({ method, path }) => {
        if (method !== 'POST' || !path.endsWith('/products')) return undefined;
        interrupt();
        await setTimeout(300);
        return undefined;
      },
      response: ({ status }, { method }) => {
        if (method === 'POST' && status === 201) created.resolve(undefined);
      },
    };
    await created.promise;
  }

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('deletes what it created when it gets %s', async (signal, code) => {
    const before = await everything();
    const [command, ...args] = scriptWords('verify');
    const child = spawn(command, [...args, '--url', proxy.url], {
      env: { ...process.env, ...variables() },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    await duringCreation(() => child.kill(signal));
    expect(await ended).toEqual([code, null]);
    expect(await everything()).toEqual(before);
  });

  it('deletes what it created when its terminal is closed', async () => {
    const before = await everything();
    const line = [...scriptWords('verify'), '--url', proxy.url].join(' ');
    const terminal = spawn('script', ['--quiet', '--command', line, '/dev/null'], {
      env: { ...process.env, ...variables() },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    await duringCreation(() => terminal.kill('SIGKILL'));
    await expect.poll(everything, { timeout: 30_000 }).toEqual(before);
  });
});

async function removeAll(): Promise<void> {
  for (const { id, storeProductId } of await all(client.products.list())) {
    if (storeProductId?.startsWith('VERIFY-')) await client.products.delete(id);
  }
  for (const { id } of await all(client.couponCodes.list())) await client.couponCodes.delete(id);
  await client.updateProfile({ connection: { syncEnabled: false } });
}
