import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { once } from 'node:events';
import { expect, inject, it, onTestFinished } from 'vitest';
import { takeBrand } from '../../../test/node/pool.ts';
import { runWith } from '../../../test/node/processes.ts';
import { fetchWithoutProxy } from '../../src/command/service/unused-proxies.ts';
import { commandOf } from './commanded.ts';

const COMMAND = inject('command');

/** Starts a proxy whose only way leads to an address. Returns its own address, and what it was asked for. */
async function proxyTo(
  address: string,
): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer().on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    const target = connect(Number(new URL(address).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    for (const one of [socket, target]) one.on('error', () => undefined);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
  });
  // oxlint-disable-next-line typescript/consistent-type-assertions -- it listens at a port
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked };
}

it.each(['HTTP_PROXY', 'http_proxy'])('A proxy of the environment is used: %s', async (name) => {
  const { apiKey, baseUrl } = await takeBrand();
  const { url, asked } = await proxyTo(baseUrl);
  const variables = { BRAND_API_KEY: apiKey, BRAND_API_URL: 'http://brand.example', [name]: url };
  const { code, stdout, stderr } = await runWith(variables, COMMAND, 'whoami');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('Service: http://brand.example');
  expect(asked).toEqual(['brand.example:80']);
});

it.each([
  ['a loopback address', (baseUrl: string) => ({ BRAND_API_URL: baseUrl })],
  [
    'localhost',
    (baseUrl: string) => ({ BRAND_API_URL: baseUrl.replace('127.0.0.1', 'localhost') }),
  ],
  ['what NO_PROXY names', (baseUrl: string) => ({ BRAND_API_URL: baseUrl, NO_PROXY: '*' })],
])(
  'A proxy of the environment is not asked for addresses of this machine and exceptions: %s',
  async (_, variables) => {
    const { apiKey, baseUrl } = await takeBrand();
    const { url, asked } = await proxyTo(baseUrl);
    const proxies = { HTTP_PROXY: url, HTTPS_PROXY: url, BRAND_API_KEY: apiKey };
    const { code, stderr } = await runWith(
      { ...proxies, ...variables(baseUrl) },
      COMMAND,
      'whoami',
    );
    expect([code, stderr, asked]).toEqual([0, '', []]);
  },
);

it('A proxy of the environment that is no address is wrong usage', async () => {
  const { code, stderr } = await runWith({ HTTPS_PROXY: 'proxy.example:3128' }, COMMAND, 'whoami');
  expect([code, stderr]).toEqual([
    2,
    'error: HTTPS_PROXY is no address of a proxy such as http://proxy.example:3128.\n',
  ]);
});

it('A proxy of the environment that this Node cannot use is named by an error of the network', async () => {
  const command = commandOf({ ...(await takeBrand()), baseUrl: 'http://127.0.0.1:1' });
  const fetch = fetchWithoutProxy({ HTTPS_PROXY: 'http://127.0.0.1:9' }, false);
  const { code, stderr } = await command(['whoami'], { fetch });
  expect(code).toBe(1);
  expect(stderr).toMatch(/HTTPS_PROXY in the environment is not used: that needs Node 22\.21/);
  expect(fetchWithoutProxy({ HTTPS_PROXY: 'http://127.0.0.1:9' }, true)).toBeUndefined();
  expect(fetchWithoutProxy({}, false)).toBeUndefined();
});
