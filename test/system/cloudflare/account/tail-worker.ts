import type { V4WorkerOptions } from 'miniflare';

/**
 * What sends a Worker's trace events to those who follow its logs. A Durable Object holds their sockets: what one request
 * opened, another must not use.
 */
export const tailWorker = {
  modules: true,
  compatibilityDate: '2026-10-06',
  durableObjects: { FOLLOWERS: 'Followers' },
  script: `
    const followers = (env) => env.FOLLOWERS.get(env.FOLLOWERS.idFromName('all'));
    export default {
      fetch: (request, env) => followers(env).fetch(request),
      async tail(events, env) {
        await followers(env).fetch('http://followers', { method: 'POST', body: JSON.stringify(events) });
      },
    };
    export class Followers {
      sockets = new Set();
      async fetch(request) {
        if (request.method === 'POST') {
          for (const event of await request.json())
            for (const socket of this.sockets) socket.send(JSON.stringify(event));
          return new Response();
        }
        const { 0: client, 1: server } = new WebSocketPair();
        server.accept();
        server.addEventListener('close', () => this.sockets.delete(server));
        this.sockets.add(server);
        return new Response(null, { status: 101, webSocket: client, headers: { 'Sec-WebSocket-Protocol': 'trace-v1' } });
      }
    }`,
} satisfies V4WorkerOptions;
