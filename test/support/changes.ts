import * as z from 'zod';
import type { Answer, Resource, TestBrand } from './brand.ts';

/** A page of changes, taken apart. */
export interface Page {
  readonly resources: readonly Resource[];
  readonly deleted: readonly string[];
  readonly since: string;
  /** The path and parameters of the next page, below the base path; undefined on the last. */
  readonly next: string | undefined;
}

const resource = z.looseObject({ id: z.string() });
const body = z.record(z.string(), z.unknown());

/** Takes the answer to a GET with `since` apart. */
export function pageOf(answer: Answer): Page {
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  const [resources, deleted, since, ...rest] = Object.values(body.parse(answer.body));
  if (rest.length > 0) throw new Error(`More than three members: ${answer.text}`);
  const link = answer.headers.get('Link');
  return {
    resources: z.array(resource).parse(resources),
    deleted: z.array(z.string()).parse(deleted),
    since: z.string().parse(since),
    next: link === null ? undefined : nextOf(link),
  };
}

export async function poll(
  brand: TestBrand,
  path: string,
  since: string,
  limit?: number,
): Promise<Page> {
  const paging = limit === undefined ? '' : `&limit=${limit}`;
  return pageOf(await brand.send('GET', `${path}?since=${since}${paging}`));
}

/** Polls until there is no more. */
export async function pollAll(
  brand: TestBrand,
  path: string,
  since: string,
  limit?: number,
): Promise<Page[]> {
  const pages = [await poll(brand, path, since, limit)];
  for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next) {
    pages.push(pageOf(await brand.send('GET', next)));
  }
  return pages;
}

/** A token of now: what is left of a first load is read to its end. */
export async function tokenOf(brand: TestBrand, path: string): Promise<string> {
  const pages = await pollAll(brand, path, '0');
  return pages.at(-1)?.since ?? '0';
}

function nextOf(link: string): string {
  const [, url] = /^<([^>]+)>; rel="next"$/.exec(link) ?? [];
  if (url === undefined) throw new Error(`Not a link to a next page: ${link}`);
  return url.replace(/^.*\/api\/brand\/v1/, '');
}
