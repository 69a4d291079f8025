import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Result } from '../../../tools/verify/check.ts';
import { verify } from '../../../tools/verify/verify.ts';
import { freePort, temporaryFolder } from '../../node/processes.ts';

const execute = promisify(execFile);
const trusted = getCACertificates('default');

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(async () => {
  setDefaultCACertificates(trusted);
  await folder.remove();
});

/** What a check of HTTPS says of a server with a new certificate. */
async function check(server: {
  readonly days: number;
  readonly isTrusted?: boolean;
  readonly http2?: boolean;
  readonly oldTls?: boolean;
}): Promise<Result | undefined> {
  const [key, cert] = [join(folder.path, 'key.pem'), join(folder.path, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const days = ['-days', String(server.days)];
  await execute('openssl', [
    'req',
    '-x509',
    ...curve,
    '-keyout',
    key,
    '-out',
    cert,
    ...days,
    ...subject,
  ]);
  const pem = await readFile(cert, 'utf8');
  if (server.isTrusted ?? true) setDefaultCACertificates([...trusted, pem]);
  const options = {
    key: await readFile(key, 'utf8'),
    cert: pem,
    ...(server.oldTls && { minVersion: 'TLSv1' as const, ciphers: 'DEFAULT@SECLEVEL=0' }),
  };
  const listener = (server.http2 ?? true) ? createSecureServer(options) : createServer(options);
  const port = await freePort();
  await once(listener.listen(port, 'localhost'), 'listening');
  try {
    const { checks } = await verify({
      url: `https://localhost:${port}`,
      apiKey: 'bik_nonsense',
      readOnly: true,
      only: ['HTTPS'],
    });
    return checks[0];
  } finally {
    listener.close();
  }
}

it('passes with a valid certificate, and reports versions and expiry', async () => {
  const result = await check({ days: 90 });
  expect(result).toMatchObject({ status: 'passed', problems: [] });
  expect(result?.notes.join()).toMatch(/^TLSv1\.3, h2, certificate for (89|90) days$/);
});

it.each([
  [
    'a certificate that nobody vouches for',
    { days: 90, isTrusted: false },
    /self-signed certificate/,
  ],
  ['a certificate that soon expires', { days: 5 }, /expires in [45] days/],
  ['no HTTP/2', { days: 90, http2: false }, /HTTP\/2 is not offered/],
] as const)('reports %s', async (_, server, says) => {
  const result = await check(server);
  expect(result?.status).toBe('failed');
  expect(result?.problems.join()).toMatch(says);
});

it('notes a server that accepts old versions of TLS', async () => {
  const result = await check({ days: 90, oldTls: true });
  expect(result?.notes.join()).toContain('TLS 1.1');
});
