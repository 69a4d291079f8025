import { request as requestPlainly } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Checks } from './checks.ts';
import type { Send } from './service.ts';
import { fetchNamed, PATIENCE } from './service.ts';

const PROFILE_PATH = '/api/brand/v1/profile';
const BOOKMARK = 'x-d1-bookmark';

/** Names that clients have if nobody gives them one; undefined for none. */
const AGENTS: Readonly<Record<string, string | undefined>> = {
  'a client without a User-Agent': undefined,
  'the User-Agent of Python': 'Python-urllib/3.14',
  'the User-Agent of curl': 'curl/8.16.0',
};

/** Returns the checks of what Cloudflare does before the service sees a request, and of D1's replicas. */
export function networkChecks(send: Send, origin: string, apiKey: string): Checks {
  const agents = Object.entries(AGENTS).map(
    ([name, agent]) => [name, () => readAs(agent, origin, apiKey)] as const,
  );
  return {
    ...Object.fromEntries(agents),
    ...(origin.startsWith('https:') && { 'plain HTTP is refused': () => refusePlainHttp(origin) }),
    'a bookmark is taken back': () => takeBookmarks(send),
  };
}

/** Reads the profile under a name. `fetch` would send one of its own in place of none. */
async function readAs(agent: string | undefined, origin: string, apiKey: string): Promise<void> {
  const request = origin.startsWith('https:') ? requestSecurely : requestPlainly;
  const headers = {
    Authorization: `Bearer ${apiKey}`,
    ...(agent !== undefined && { 'User-Agent': agent }),
  };
  const options = { headers, signal: AbortSignal.timeout(PATIENCE) };
  const [status, body] = await new Promise<[number, string]>((resolve, reject) => {
    const sent = request(origin + PROFILE_PATH, options, (response) => {
      text(response).then((read) => {
        resolve([response.statusCode ?? 0, read]);
      }, reject);
    });
    sent.on('error', reject).end();
  });
  if (status === 200) return;
  const advice = /\b1010\b/.test(body)
    ? 'Turn off Browser Integrity Check: see "Your own domain" in docs/deploying.md.'
    : body.slice(0, 200);
  throw new Error(`GET ${PROFILE_PATH} answered ${status} instead of 200. ${advice}`);
}

/** Asks the same host over plain HTTP, without the key. */
async function refusePlainHttp(origin: string): Promise<void> {
  const url = new URL(PROFILE_PATH, origin.replace(/^https:/, 'http:'));
  // A host without plain HTTP is right.
  const response = await fetchNamed(url).catch(() => undefined);
  await response?.body?.cancel();
  const status = response?.status ?? 403;
  if (status >= 300 && status !== 401) return;
  throw new Error(
    `GET ${url.href} answered ${status}, so keys would travel in clear. Turn on Always Use HTTPS: see "Your own domain" in docs/deploying.md.`,
  );
}

/** Sends bookmarks back: that of an answer, and the same as if it was of another database. */
async function takeBookmarks(send: Send): Promise<void> {
  const { headers } = await send(200, 'GET', 'profile');
  const bookmark = headers.get(BOOKMARK);
  if (bookmark === null) {
    throw new Error(
      `There is no ${BOOKMARK}. D1 gives bookmarks in another form, so no read goes to a replica. Update the service.`,
    );
  }
  for (const sent of [bookmark, `3843-${bookmark.replace(/^\d{1,4}-/, '')}`]) {
    await send(200, 'GET', 'profile', { headers: { [BOOKMARK]: sent } });
  }
}
