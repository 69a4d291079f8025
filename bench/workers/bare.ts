import { sha256 } from '../../src/hash.ts';
import { answer, respond } from './bare-operations.ts';

// The best that this platform allows: no framework, no ORM, little validation. It does a part of what the service does,
// as fast as possible. Whatever it needs the platform for, it needs as often as the service: a session with its
// bookmark, the headers, a request id, an entity tag, the request's signal, and `waitUntil` for a line of the log.

const PATH = /^\/api\/brand\/v1\/products(?:\/([0-9a-f-]{36}))?$/;

interface BareEnv {
  readonly DB: D1Database;
}

export default {
  async fetch(request, env, context) {
    const start = Date.now();
    const requestId = crypto.randomUUID();
    const db = env.DB.withSession('first-primary');
    const response = await routed(request, db);
    response.headers.set('X-Request-Id', requestId);
    response.headers.set('x-d1-bookmark', db.getBookmark() ?? '');
    const line = async (): Promise<void> => {
      await Promise.resolve();
      const { method, signal } = request;
      const ended = signal.aborted ? 'aborted' : 'complete';
      const fields = { requestId, method, status: response.status, ended, ms: Date.now() - start };
      // oxlint-disable-next-line no-console -- this is where a Worker's log is written
      console.log(JSON.stringify(fields));
    };
    context.waitUntil(line());
    return response;
  },
} satisfies ExportedHandler<BareEnv>;

async function routed(request: Request, db: D1DatabaseSession): Promise<Response> {
  const match = PATH.exec(new URL(request.url).pathname);
  if (!match) return respond({ error: 'Not found.' }, 404);
  const apiKey = request.headers.get('Authorization')?.slice('Bearer '.length) ?? '';
  return answer(request, match[1], await sha256(apiKey), db);
}
