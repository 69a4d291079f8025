import { jsonIn } from '../../transport.ts';
import type { StoreRequestOptions } from '../request.ts';
import { isLoopback, StoreRequests } from '../request.ts';
import type { BulkResult } from './bulk-operation.ts';
import type { JsonObject } from '../json-values.ts';
import { isJsonObject } from '../json-values.ts';
import { Failure } from '../failure.ts';

/** The longest line that is read, in UTF-16 units: a description has at most some 512 KB. */
const LONGEST_LINE = 16 * 2 ** 20;

/** How often a file is read from its start that broke off. */
const TRIES = 3;

const AGAIN = 'Run the command again.';

/**
 * Reads the file of a bulk operation line by line. It is at another host, which gets no token.
 * @param begin called before the first line, and again if the file broke off; returns what takes each object
 * @throws Failure if it is not the whole
 */
export async function readBulkFile(
  { url, count }: BulkResult,
  around: Pick<StoreRequestOptions, 'fetch' | 'signal'>,
  begin: () => (object: JsonObject) => void,
): Promise<void> {
  if (url === undefined) {
    begin();
    return;
  }
  if (url.protocol !== 'https:' && !isLoopback(url.hostname)) {
    throw new Failure(`Shopify named an address for the result that is not encrypted. ${AGAIN}`);
  }
  for (let tried = 1; ; tried++) {
    const requests = new StoreRequests({
      ...around,
      name: `The host of Shopify's files, ${url.host},`,
      // The address is a secret: whoever knows it can read the file.
      secrets: [url.href, url.search],
      onRedirect: () => AGAIN,
    });
    try {
      await readOnce(requests, url, count, begin());
      return;
    } catch (error) {
      around.signal.throwIfAborted();
      if (!(error instanceof Failure) || tried >= TRIES) throw error;
    }
  }
}

async function readOnce(
  requests: StoreRequests,
  url: URL,
  count: number,
  take: (object: JsonObject) => void,
): Promise<void> {
  let lines = 0;
  for await (const line of linesOf(requests.stream({ method: 'GET', url }))) {
    const object = jsonIn(line);
    if (!isJsonObject(object)) {
      throw new Failure(`Line ${lines + 1} of the file from Shopify is cut off. ${AGAIN}`);
    }
    take(object);
    lines++;
  }
  if (lines !== count) {
    throw new Failure(
      `The file from Shopify has ${lines} lines, and it should have ${count}. ${AGAIN}`,
    );
  }
}

/** Yields the lines that are not empty. */
async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string, void> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE) throw new Failure(`A line from Shopify is too long. ${AGAIN}`);
    yield* lines.filter((line) => line.trim() !== '');
  }
  if (rest.trim() !== '') yield rest;
}
