import type { Context } from 'hono';
import type { ApiEnv } from '../../http/api-env.ts';
import { jsonResponse } from '../../http/json-response.ts';
import { streamedBody } from '../../http/streamed-body.ts';
import type { ReadLarge } from './large-resources.ts';
import { MAX_READ } from './large-resources.ts';
import type { ListedResource } from '../representation.ts';

/** A part of a list: the JSON texts of some resources, joined by commas. */
export interface Part {
  /** Empty if the part has no resources (see `split`), or if all were deleted before their texts were read. */
  readonly text: string;
  readonly isLast: boolean;
}

/** Yields resources in parts of bounded length, at least one. */
export async function* inParts(
  resources: readonly ListedResource[],
  readLarge: ReadLarge,
): AsyncGenerator<Part, void> {
  for (const part of split(resources)) {
    // An empty list has one part, which is empty too: `at` returns undefined for both.
    const isLast = part.at(-1) === resources.at(-1);
    const read = await withTexts(part, readLarge);
    if (read.every(({ json }) => typeof json === 'string')) {
      yield { text: joined(read), isLast };
    } else {
      // Some have grown since their lengths were read.
      for await (const { text, isLast: isEnd } of inParts(read, readLarge)) {
        yield { text, isLast: isLast && isEnd };
      }
    }
  }
}

/** Reads the texts of the large resources of a part. A resource that no longer exists is left out. */
async function withTexts(
  part: readonly ListedResource[],
  readLarge: ReadLarge,
): Promise<ListedResource[]> {
  const lengths = new Map<string, number>();
  // What is here already takes its share of the memory.
  let room = MAX_READ;
  for (const { id, json } of part) {
    if (typeof json === 'number') lengths.set(id, json);
    else room -= json.length;
  }
  if (lengths.size === 0) return [...part];
  const texts = await readLarge(lengths, room);
  return part.flatMap(({ id, json }) => {
    const text = typeof json === 'string' ? json : texts.get(id);
    return text === undefined ? [] : { id, json: text };
  });
}

/** Joins the texts of resources. Empties the list, as the generator would hold them until its client has read the part. */
function joined(resources: ListedResource[]): string {
  return resources
    .splice(0)
    .map(({ json }) => json)
    .join();
}

/**
 * Splits a list where the lengths add up to more than a call may read. A part is empty if the list is, and if the first
 * resource alone exceeds that.
 */
function* split(resources: readonly ListedResource[]): Generator<readonly ListedResource[]> {
  let part: ListedResource[] = [];
  // Of the texts that are still to be read and of those that are here. Both bound what a part takes of the memory.
  let length = 0;
  for (const resource of resources) {
    const added = typeof resource.json === 'number' ? resource.json : resource.json.length;
    if (length + added > MAX_READ) {
      yield part;
      part = [];
      length = 0;
    }
    part.push(resource);
    length += added;
  }
  yield part;
}

/** A list between two JSON texts. */
interface List {
  readonly before: string;
  readonly parts: AsyncIterator<Part, void>;
  readonly after: string;
  /** The parameters of the next page, if there is one. */
  readonly next?: Readonly<Record<string, string>>;
}

/** Returns the response with a list. A list of several parts is streamed, so that memory stays bounded. */
export async function listResponse(
  c: Context<ApiEnv>,
  { before, parts, after, next }: List,
): Promise<Response> {
  // It is read before anything is sent, and determines the status.
  const first = await parts.next();
  const { text, isLast } = first.value ?? { text: '', isLast: true };
  // Not before: the response to a failure has no next page.
  if (next) c.header('Link', nextLink(c.req.url, next));
  if (isLast) return jsonResponse(c, before + text + after);
  // A HEAD response has no body, so the rest is not read.
  if (c.req.method === 'HEAD') return jsonResponse(c, '');
  const { body, finished } = streamedBody(pieces(before, text, parts, after), c.req.raw.signal);
  c.set('finished', finished);
  return jsonResponse(c, body);
}

/**
 * Yields the JSON text of a list in pieces. A failure aborts the body, so that an incomplete list never looks complete.
 */
async function* pieces(
  before: string,
  first: string,
  rest: AsyncIterator<Part, void>,
  after: string,
): AsyncGenerator<string, void> {
  let isEmpty = first === '';
  yield before + first;
  // Not held while the rest is sent.
  first = '';
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    const { text } = next.value;
    // A part is empty if the list ended before it, or if its resources were deleted.
    if (text === '') continue;
    yield isEmpty ? text : `,${text}`;
    isEmpty = false;
  }
  yield after;
}

/** Returns a `Link` to the next page (RFC 8288): the same URL with these parameters. */
function nextLink(url: string, parameters: Readonly<Record<string, string>>): string {
  const next = new URL(url);
  for (const [name, value] of Object.entries(parameters)) next.searchParams.set(name, value);
  return `<${next.href}>; rel="next"`;
}
