import { once } from 'node:events';
import { connect } from 'node:tls';
import type { Check } from '../check.ts';
import { NotApplicable } from '../check.ts';

/**
 * The minimum remaining validity of the certificate, in days. Cloudflare renews its certificates 30 days before they
 * expire.
 */
const LEAST_DAYS = 14;

const DAY = 86_400_000;

/** Checks HTTPS: a valid certificate, TLS 1.2 or later, and HTTP/2. */
export const connection: Check = {
  name: 'HTTPS',
  async run({ service, fail, note }) {
    const { protocol, hostname, port } = new URL(service.url);
    if (protocol !== 'https:') throw new NotApplicable('The address begins with http:.');
    const options = { host: hostname, port: Number(port || 443), servername: hostname };
    const socket = connect({ ...options, ALPNProtocols: ['h2', 'http/1.1'] });
    try {
      // It throws if the certificate is not valid.
      await once(socket, 'secureConnect', { signal: AbortSignal.timeout(10_000) });
      const days = Math.floor(
        (Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / DAY,
      );
      note(
        `${socket.getProtocol() ?? '?'}, ${socket.alpnProtocol || 'http/1.1'}, certificate for ${days} days`,
      );
      if (days < LEAST_DAYS) fail(`The certificate expires in ${days} days.`);
      if (socket.alpnProtocol !== 'h2') fail('HTTP/2 is not offered.');
    } finally {
      socket.destroy();
    }
    const old = connect({
      ...options,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    const isRefused = await once(old, 'secureConnect', {
      signal: AbortSignal.timeout(10_000),
    }).then(
      () => false,
      () => true,
    );
    old.destroy();
    if (!isRefused)
      note(
        'TLS 1.1 and earlier are accepted too; Cloudflare can refuse them (Minimum TLS Version)',
      );
  },
};
