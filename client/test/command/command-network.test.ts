import { once } from 'node:events';
import type { Socket } from 'node:net';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { networkReason } from '../../src/stores/network-reason.ts';
import { commandOf } from './commanded.ts';
import { freePort } from '../../../test/node/processes.ts';

// What the command says if something is wrong on the way to the service.

const whoami = commandOf({ apiKey: `bik_${'0'.repeat(49)}`, baseUrl: '' });

it.concurrent.each<[string, string, (socket: Socket) => void, RegExp]>([
  ['resets', 'http', (socket) => socket.resetAndDestroy(), / The connection broke off\. \(fetch /],
  [
    'closes',
    'http',
    (socket) => socket.end(),
    / Should the address begin with https:\/\/\? \(fetch /,
  ],
  [
    'speaks no TLS',
    'https',
    (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    / speaks no TLS\. Should the address begin with http:\/\/\? \(ERR_SSL_WRONG_VERSION_NUMBER\)\n$/,
  ],
])(
  'A server that does not answer as HTTP does is explained: one that %s',
  async (_, protocol, answer, sentence) => {
    const port = await freePort();
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        answer(socket);
      });
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
    const { code, stdout, stderr } = await whoami([
      'whoami',
      '--url',
      `${protocol}://127.0.0.1:${port}`,
    ]);
    server.close();
    expect(stderr).toMatch(/^error: The service did not answer\. [^\n]+\n$/);
    expect(stderr).toMatch(sentence);
    expect([code, stdout]).toEqual([1, '']);
  },
);

/** The error of `fetch` for an error of the network. */
function failed(code: string, message: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });
}

it.each<[unknown, string]>([
  [
    failed('ENOTFOUND', 'getaddrinfo ENOTFOUND a.example'),
    'There is no such host. Is the address right? (fetch failed: getaddrinfo ENOTFOUND a.example)',
  ],
  [
    // A name with two addresses, such as localhost.
    new TypeError('fetch failed', {
      cause: new AggregateError([failed('ECONNREFUSED', 'no 1'), failed('ECONNREFUSED', 'no 2')]),
    }),
    'Nothing listens there. Is the address right, and does the server run? (fetch failed: fetch failed)',
  ],
  [
    failed('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'),
    'Node does not know who issued its certificate. If you trust it, set NODE_EXTRA_CA_CERTS to the file with the certificate of the issuer. (fetch failed: self-signed certificate)',
  ],
  [
    failed('CERT_HAS_EXPIRED', 'certificate has expired'),
    'Its certificate has expired. Tell who runs the server. (fetch failed: certificate has expired)',
  ],
  [failed('constructor', 'strange'), '(fetch failed: strange)'],
  [new DOMException('The time limit expired.', 'TimeoutError'), '(The time limit expired.)'],
])('A network error is explained: %s', (error, reason) => {
  expect(networkReason(error)).toBe(reason);
});
