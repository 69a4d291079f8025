import * as z from 'zod';
import manifest from '../../package.json' with { type: 'json' };

/** How long to wait for a response, in milliseconds. */
export const PATIENCE = 10_000;

/** The name of this program: Cloudflare can refuse a request without a name of its own. */
const USER_AGENT = `${manifest.name}/${manifest.version} (verify)`;

/** A complete response. */
export interface Answer {
  readonly headers: Headers;
  readonly text: string;
}

interface RequestOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The operator's by default; empty to send none. */
  readonly key?: string;
}

/**
 * Sends a request to a path of the API such as `profile`, or to another path of the service such as `/docs`.
 * @throws Error if the response does not come, or has another status
 */
export type Send = (
  status: number,
  method: string,
  path: string,
  options?: RequestOptions,
) => Promise<Answer>;

/**
 * The deployed service, as a client reaches it.
 * @param origin the address of the service, such as `https://api.example.com`
 * @param signal after it aborts, no further request is sent. A request in progress is awaited, because what it creates must
 *   be deleted.
 */
export function serviceAt(origin: string, apiKey: string, signal?: AbortSignal): Send {
  return async (status, method, path, { body, headers, key = apiKey } = {}) => {
    if (signal?.aborted) throw new Error('Interrupted.');
    const url = new URL(path, `${origin}/api/brand/v1/`);
    const response = await fetchNamed(url, {
      method,
      headers: {
        ...(key !== '' && { Authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status !== status) {
      const found = `${response.status} instead of ${status}. ${text.slice(0, 200)}`;
      throw new Error(`${method} ${url.pathname} answered ${found}`);
    }
    return { headers: response.headers, text };
  };
}

/** Sends one request under the name of this program, and follows no redirect. */
export function fetchNamed(url: URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('User-Agent', USER_AGENT);
  const signal = AbortSignal.timeout(PATIENCE);
  return fetch(url, { ...init, headers, redirect: 'manual', signal });
}

const resource = z.looseObject({ id: z.string() });

/** A resource in a response, by the names of its fields. */
type Resource = z.infer<typeof resource>;

export function resourceIn({ text }: Answer, one: string): Resource {
  return resource.parse(memberOf(text, one));
}

export function resourcesIn({ text }: Answer, many: string): Resource[] {
  return z.array(resource).parse(memberOf(text, many));
}

function memberOf(text: string, name: string): unknown {
  const { [name]: member } = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  if (member === undefined) throw new Error(`The response has no ${name}.`);
  return member;
}

/** Returns the tag of a response as it arrived: weak if it was compressed on the way. */
export function tagOf({ headers }: Answer): string {
  const tag = headers.get('ETag');
  if (tag === null) throw new Error('The response has no ETag.');
  return tag;
}
