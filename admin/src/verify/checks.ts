import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { newApiKey } from '../../../src/operator.ts';
import { ROOT } from '../../../common/wrangler/wrangler.ts';
import type { TestCollection } from './resources.ts';
import type { Answer, Send } from './service.ts';
import { resourceIn, resourcesIn, tagOf } from './service.ts';

/** Checks by their names, each a line of the report. A check throws if the service is not right. */
export type Checks = Readonly<Record<string, () => Promise<void>>>;

const DOCUMENT = '/api/brand/v1/openapi.json';

/** Headers of every response of the API, and what their values must contain. */
const HEADERS: Readonly<Record<string, RegExp>> = {
  'Cache-Control': /^no-store$/,
  'Content-Type': /^application\/json/,
  'Strict-Transport-Security': /max-age=[1-9]/,
  'X-Content-Type-Options': /^nosniff$/,
  'X-Request-Id': /./,
};

/** Returns the checks of what a deployment can get wrong around the operations. */
export function deploymentChecks(send: Send): Checks {
  const refused = async (key: string): Promise<void> => {
    await send(401, 'GET', 'profile', { key });
  };
  return {
    'no key is refused': () => refused(''),
    'a malformed key is refused': () => refused('bik_nonsense'),
    'an unknown key is refused': () => refused(newApiKey()),
    headers: async () => {
      const { headers } = await send(200, 'GET', 'profile');
      for (const [name, pattern] of Object.entries(HEADERS)) {
        const value = headers.get(name);
        if (value === null || !pattern.test(value)) fail(`${name} is ${value ?? 'missing'}.`);
      }
    },
    'openapi.json is the one of this project': async () => {
      const served: unknown = JSON.parse((await send(200, 'GET', DOCUMENT)).text);
      const own: unknown = JSON.parse(await readFile(`${ROOT}public${DOCUMENT}`, 'utf8'));
      if (!isDeepStrictEqual(served, own)) fail('It differs. Is another version deployed?');
    },
    'the reference page': async () => {
      const { headers } = await send(200, 'GET', '/docs');
      if (!headers.has('Content-Security-Policy')) fail('Content-Security-Policy is missing.');
    },
  };
}

/** Returns a check of each operation on the profile. They write what is there already, and only if it is still there. */
export function profileChecks(send: Send): Checks {
  let before: Answer | undefined;
  const write = async (method: string, body: (before: Answer) => unknown): Promise<void> => {
    if (before === undefined) return fail('The profile was not read.');
    const headers = { 'If-Match': tagOf(before) };
    const { text } = await send(200, method, 'profile', { body: body(before), headers });
    if (text !== before.text) fail('The profile has changed.');
  };
  return {
    'GET /profile': async () => void (before = await send(200, 'GET', 'profile')),
    'PUT /profile': () => write('PUT', ({ text }): unknown => JSON.parse(text)),
    'PATCH /profile': () => write('PATCH', () => ({})),
  };
}

/**
 * Returns a check of each operation on a collection.
 * @param mark the mark of the resource that they create
 */
export function collectionChecks(
  send: Send,
  { path, one, many, markedBy, patch, input }: TestCollection,
  mark: string,
): Checks {
  let id = '';
  const item = (): string => `${path}/${id === '' ? fail('Nothing was created.') : id}`;
  const has = (answer: Answer, fields: object, problem: string): void => {
    const found = resourceIn(answer, one);
    if (!isDeepStrictEqual({ ...found, ...fields }, found)) fail(problem);
  };
  return {
    [`POST /${path}`]: async () => {
      ({ id } = resourceIn(await send(201, 'POST', path, { body: input(mark) }), one));
    },
    [`GET /${path}/:id`]: async () => {
      has(await send(200, 'GET', item()), { [markedBy]: mark }, `Its ${markedBy} is not ${mark}.`);
    },
    [`GET /${path}`]: async () => {
      const answer = await send(200, 'GET', `${path}?${markedBy}=${mark}`);
      const ids = resourcesIn(answer, many).map((found) => found.id);
      if (!isDeepStrictEqual(ids, [id])) fail('It is not the one that was created.');
    },
    [`PATCH /${path}/:id`]: async () => {
      // Compressed, if possible: Cloudflare then makes the tag weak, and it must still be accepted.
      const encoding = { 'Accept-Encoding': 'br, gzip' };
      const headers = { 'If-Match': tagOf(await send(200, 'GET', item(), { headers: encoding })) };
      has(await send(200, 'PATCH', item(), { body: patch, headers }), patch, 'It has not changed.');
      await send(412, 'PATCH', item(), { body: patch, headers });
    },
    [`PUT /${path}/:id`]: async () => {
      const body = input(mark);
      has(await send(200, 'PUT', item(), { body }), body, 'It was not replaced.');
    },
    [`DELETE /${path}/:id`]: async () => {
      await send(200, 'DELETE', item());
      await send(404, 'GET', item());
    },
  };
}

function fail(problem: string): never {
  throw new Error(problem);
}
