import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createPlain, request } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../test/node/processes.ts';

/** What Cloudflare's edge does with requests to a zone. */
export interface Zone {
  /** Whether it redirects plain HTTP. */
  readonly alwaysUseHttps?: boolean;
  /** Whether it refuses requests without a name of their own. */
  readonly browserIntegrityCheck?: boolean;
  /** Whether it says by which scheme a request came. */
  readonly saysScheme?: boolean;
}

/** A stand-in for Cloudflare's edge before a service: both schemes on one port. */
export interface Edge {
  /** Such as `https://localhost:12345`. */
  readonly url: string;
  /** The file of the certificate, which a client must trust. */
  readonly certificate: string;
  zone: Zone;
  /** How many connections it refuses at first, because it has no certificate for the address yet. */
  unknown: number;
  readonly stop: () => Promise<void>;
}

/** The alert of TLS 1.2 that says handshake_failure (RFC 5246, 7.2). */
const HANDSHAKE_FAILURE = Uint8Array.from([0x15, 0x03, 0x03, 0, 2, 2, 40]);

/** The first byte of a connection by TLS. */
const HANDSHAKE = 0x16;

/** Names that the Browser Integrity Check refuses. */
const BAD_NAME = /^(?:$|Python-urllib|node$)/;

export async function startEdge(service: string): Promise<Edge> {
  const { path, remove } = await temporaryFolder();
  const [key, certificate] = [join(path, 'key.pem'), join(path, 'certificate.pem')];
  const named = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', key, '-out', certificate];
  const made = ['req', '-x509', '-nodes', '-newkey', 'rsa:2048', '-days', '1', ...named, ...files];
  await promisify(execFile)('openssl', made);

  const handle =
    (scheme: 'http' | 'https') =>
    (asked: IncomingMessage, response: ServerResponse): void => {
      const { zone } = edge;
      const target = asked.url ?? '/';
      if (zone.alwaysUseHttps === true && scheme === 'http') {
        response.writeHead(301, { Location: edge.url + target }).end();
      } else if (
        zone.browserIntegrityCheck === true &&
        BAD_NAME.test(asked.headers['user-agent'] ?? '')
      ) {
        response.writeHead(403, { 'Content-Type': 'text/plain' }).end('error code: 1010');
      } else {
        const visitor = zone.saysScheme === true && { 'cf-visitor': JSON.stringify({ scheme }) };
        const headers = { ...asked.headers, ...visitor };
        const passed = request(service + target, { method: asked.method, headers }, (answer) => {
          answer.pipe(response.writeHead(answer.statusCode ?? 500, answer.headers));
        });
        asked.pipe(passed);
      }
    };
  const [tlsKey, tlsCertificate] = await Promise.all([readFile(key), readFile(certificate)]);
  const plain = createPlain(handle('http'));
  const secure = createSecure({ key: tlsKey, cert: tlsCertificate }, handle('https'));
  const [plainPort, securePort] = await Promise.all([listen(plain), listen(secure)]);
  const door = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (first: Uint8Array) => {
      const isSecure = first[0] === HANDSHAKE;
      if (isSecure && edge.unknown > 0) {
        edge.unknown--;
        socket.end(HANDSHAKE_FAILURE);
        return;
      }
      const behind = connect(isSecure ? securePort : plainPort, '127.0.0.1');
      behind.on('error', () => socket.destroy());
      behind.write(first);
      socket.pipe(behind).pipe(socket);
    });
  });
  const port = await listen(door);

  const edge: Edge = {
    url: `https://localhost:${port}`,
    certificate,
    zone: {},
    unknown: 0,
    stop: async () => {
      for (const server of [plain, secure]) server.closeAllConnections();
      for (const server of [door, plain, secure]) server.close();
      await remove();
    },
  };
  return edge;
}

async function listen(server: Server): Promise<number> {
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return addressOf(listening).port;
}

/** A server that listens on a port has an address with it. */
function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('It does not listen.');
  return address;
}
