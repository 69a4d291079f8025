import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  AdminTool,
  DevServer,
  freePort,
  record,
  records,
  run,
  temporaryFolder,
} from './processes.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let admin: AdminTool;
let server: DevServer;
let port: number;

beforeAll(async () => {
  folder = await temporaryFolder();
  admin = new AdminTool(folder.path);
  port = await freePort();
  server = await DevServer.start(port, folder.path);
});

afterAll(async () => {
  await server.kill();
  await folder.remove();
});

/** The products that the printed line shows when it is pasted into a shell. */
async function paste(curl: string): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await run('sh', '-c', curl);
  if (code !== 0) throw new Error(`${curl}: ${stderr}`);
  return records(record(JSON.parse(stdout))['products']);
}

/** The status of a request with a key. */
async function status(key: unknown, method = 'GET', body?: object): Promise<number> {
  const response = await fetch(`http://localhost:${port}/api/brand/v1/products`, {
    method,
    headers: { Authorization: `Bearer ${String(key)}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  await response.text();
  return response.status;
}

describe('npm run dev', () => {
  it('prints a line that shows the twelve products of a demo brand', async () => {
    const products = await paste(server.curl);
    expect(products).toHaveLength(12);
    expect(new Set(products.map(({ id }) => id)).size).toBe(12);
  });

  it('takes keys that the admin tool issues while it serves, and refuses them once revoked', async () => {
    const made = await admin.json('brand', 'create', 'Beside the demo');
    expect(await status(made['apiKey'])).toBe(200);

    const reader = await admin.json('key', 'issue', String(made['brandId']), '--scope', 'read');
    expect(await status(reader['apiKey'])).toBe(200);
    expect(await status(reader['apiKey'], 'POST', { title: 'No', priceCents: 1 })).toBe(403);

    await admin.json('key', 'revoke', String(reader['keyId']));
    expect(await status(reader['apiKey'])).toBe(401);
    expect(await status(made['apiKey'])).toBe(200);
  });

  it('lets the admin tool work several times at once while it is under load', async () => {
    const { apiKey } = await admin.json('brand', 'create', 'Loaded');
    const product = { title: 'Load', priceCents: 1 };
    let atWork = true;
    const statuses = new Set<number>();
    const load = Array.from({ length: 16 }, async () => {
      while (atWork) statuses.add(await status(apiKey, 'POST', product));
    });
    const expected = Array.from({ length: 5 }, (_, index) => `At once ${index}`);
    const made = await Promise.all(expected.map((name) => admin.json('brand', 'create', name)));
    atWork = false;
    await Promise.all(load);

    expect([...statuses]).toEqual([201]);
    const brands = records((await admin.json('brand', 'list'))['brands']);
    const names = brands.map(({ brandName }) => String(brandName));
    expect(names.filter((name) => name.startsWith('At once')).sort()).toEqual(expected);
    for (const { apiKey } of made) expect(await status(apiKey)).toBe(200);
  });

  it('keeps the key and the data when it is killed and started again', async () => {
    const before = server.curl;
    const [, key] = /Bearer (\w+)/.exec(before) ?? [];
    expect(await status(key, 'POST', { title: 'Added in between', priceCents: 1 })).toBe(201);
    const products = await paste(before);

    await server.kill();
    await expect(status(key)).rejects.toThrow();
    server = await DevServer.start(port, folder.path);

    expect(server.curl).toBe(before);
    expect(await paste(before)).toEqual(products);
    expect(products).toHaveLength(13);
    expect(products.at(-1)).toMatchObject({ title: 'Added in between' });
  });
});
