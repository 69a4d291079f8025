import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { AdminError } from '../admin/admin-error.ts';

/**
 * Makes sure that a server can listen on a port. wrangler would show a crash of its runtime.
 * @param ip the address, or a name such as `localhost`, of which each address is tried
 * @throws AdminError if the port is in use, or may not be used
 */
export async function refuseUsedPort(ip: string, port: number): Promise<void> {
  // wrangler knows names that are none here, such as `*`.
  const addresses = await lookup(ip, { all: true }).catch(() => []);
  for (const { address } of addresses) {
    const server = createServer();
    try {
      await once(server.listen(port, address), 'listening');
    } catch (error) {
      // A machine without IPv6 may still have a name for its address.
      if (!(error instanceof Error) || error.message.includes('EADDRNOTAVAIL')) continue;
      throw new AdminError(
        `Port ${port} cannot be used (${error.message}). Choose another one: npm run dev -- --port NUMBER`,
      );
    } finally {
      server.close();
    }
  }
}
