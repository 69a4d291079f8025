import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { generateApiKey } from '../../src/auth/api-key.ts';
import { ROOT } from '../wrangler.ts';
import type { TestCollection } from './resources.ts';
import type { Answer, Service } from './service.ts';
import { resourceIn, resourcesIn, tagOf } from './service.ts';

/** A check, which is one line of the report. It throws if the service is not right. */
export type Check = readonly [name: string, run: () => Promise<void>];

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
export function deploymentChecks(service: Service): Check[] {
  const refused = async (key: string): Promise<void> => {
    await service.api(401, 'GET', '/profile', { headers: { Authorization: `Bearer ${key}` } });
  };
  return [
    [
      'no key is refused',
      async () => {
        await service.send(401, 'GET', '/api/brand/v1/profile');
      },
    ],
    ['a malformed key is refused', () => refused('bik_nonsense')],
    ['an unknown key is refused', () => refused(generateApiKey())],
    [
      'headers',
      async () => {
        const { headers } = await service.api(200, 'GET', '/profile');
        for (const [name, pattern] of Object.entries(HEADERS)) {
          const value = headers.get(name);
          if (value === null || !pattern.test(value)) fail(`${name} is ${value ?? 'missing'}.`);
        }
      },
    ],
    [
      'openapi.json is the one of this project',
      async () => {
        const served: unknown = JSON.parse((await service.send(200, 'GET', DOCUMENT)).text);
        const own: unknown = JSON.parse(await readFile(`${ROOT}public${DOCUMENT}`, 'utf8'));
        if (!isDeepStrictEqual(served, own)) fail('It differs. Is another version deployed?');
      },
    ],
    [
      'the reference page',
      async () => {
        const { headers } = await service.send(200, 'GET', '/docs');
        if (!headers.has('Content-Security-Policy')) fail('Content-Security-Policy is missing.');
      },
    ],
  ];
}

/** Returns a check of each operation on the profile. They write what is there already, and only if it is still there. */
export function profileChecks(service: Service): Check[] {
  let before: Answer | undefined;
  const write = async (method: string, body: (before: Answer) => unknown): Promise<void> => {
    if (before === undefined) return fail('The profile was not read.');
    const headers = { 'If-Match': tagOf(before) };
    const { text } = await service.api(200, method, '/profile', { body: body(before), headers });
    if (text !== before.text) fail('The profile has changed.');
  };
  return [
    ['GET /profile', async () => void (before = await service.api(200, 'GET', '/profile'))],
    ['PUT /profile', () => write('PUT', ({ text }): unknown => JSON.parse(text))],
    ['PATCH /profile', () => write('PATCH', () => ({}))],
  ];
}

/**
 * Returns a check of each operation on a collection.
 * @param mark the mark of the resource that they create
 */
export function collectionChecks(
  service: Service,
  { path, one, many, markedBy, patch, input }: TestCollection,
  mark: string,
): Check[] {
  let id = '';
  const item = (): string => `${path}/${id === '' ? fail('Nothing was created.') : id}`;
  return [
    [
      `POST ${path}`,
      async () => {
        ({ id } = resourceIn(await service.api(201, 'POST', path, { body: input(mark) }), one));
      },
    ],
    [
      `GET ${path}/:id`,
      async () => {
        const found = resourceIn(await service.api(200, 'GET', item()), one);
        if (found[markedBy] !== mark) fail(`Its ${markedBy} is not ${mark}.`);
      },
    ],
    [
      `GET ${path}`,
      async () => {
        const answer = await service.api(200, 'GET', `${path}?${markedBy}=${mark}`);
        const ids = resourcesIn(answer, many).map((found) => found.id);
        if (!isDeepStrictEqual(ids, [id])) fail('It is not the one that was created.');
      },
    ],
    [
      `PATCH ${path}/:id`,
      async () => {
        // Compressed, if possible: Cloudflare then makes the tag weak, and it must still be accepted.
        const read = await service.api(200, 'GET', item(), {
          headers: { 'Accept-Encoding': 'br, gzip' },
        });
        const headers = { 'If-Match': tagOf(read) };
        const changed = await service.api(200, 'PATCH', item(), { body: patch, headers });
        const fields = { ...resourceIn(changed, one), ...patch };
        if (!isDeepStrictEqual(fields, resourceIn(changed, one))) fail('It has not changed.');
        await service.api(412, 'PATCH', item(), { body: patch, headers });
      },
    ],
    [
      `PUT ${path}/:id`,
      async () => {
        const replaced = await service.api(200, 'PUT', item(), { body: input(mark) });
        const fields = { ...resourceIn(replaced, one), ...input(mark) };
        if (!isDeepStrictEqual(fields, resourceIn(replaced, one))) fail('It was not replaced.');
      },
    ],
    [
      `DELETE ${path}/:id`,
      async () => {
        await service.api(200, 'DELETE', item());
        await service.api(404, 'GET', item());
      },
    ],
  ];
}

function fail(problem: string): never {
  throw new Error(problem);
}
