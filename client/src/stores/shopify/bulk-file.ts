import { boundedJson } from '../memory.ts';
import type { Around } from '../request.ts';
import { Incomplete, isLoopback, StoreRequests } from '../request.ts';
import type { BulkResult } from './bulk-operation.ts';
import type { JsonObject } from '../json.ts';
import { isJsonObject } from '../json.ts';
import { Failure } from '../failure.ts';

/** The longest line that is read, in UTF-16 units: a description has at most some 512 KB. */
const LONGEST_LINE = 16 * 2 ** 20;

/** How long the next line may take, however many pieces of it arrive meanwhile, in milliseconds. */
const LINE_TIME = 120_000;

const AGAIN = 'Run the command again.';

/**
 * Reads the file of a bulk operation line by line. It is at another host, which gets no token.
 * @param begin called before the first line, and again if the file broke off; returns what takes each object
 * @throws Failure if it is not the whole
 */
export async function readBulkFile(
  { url, count }: BulkResult,
  around: Around,
  begin: () => (object: JsonObject) => void,
): Promise<void> {
  if (url === undefined) {
    begin();
    return;
  }
  if (url.protocol !== 'https:' && !isLoopback(url.hostname)) {
    throw new Failure(`Shopify named an address for the result that is not encrypted. ${AGAIN}`);
  }
  const requests = new StoreRequests({
    ...around,
    name: `The host of Shopify's files, ${url.host},`,
    // The address is a secret: whoever knows it can read the file.
    secrets: [url.pathname, url.search],
    onRedirect: () => AGAIN,
    onDenied: ({ status }) => `does not give the result any more (status ${status}). ${AGAIN}`,
  });
  await requests.read({ method: 'GET', url }, async (pieces) => {
    const take = begin();
    let lines = 0;
    for await (const line of linesIn(pieces)) {
      const object = boundedJson(line, requests);
      if (!isJsonObject(object)) {
        throw new Incomplete(`Line ${lines + 1} of the file from Shopify is cut off. ${AGAIN}`);
      }
      take(object);
      lines++;
    }
    if (lines !== count) {
      throw new Incomplete(
        `The file from Shopify has ${lines} lines, and it should have ${count}. ${AGAIN}`,
      );
    }
  });
}

/** Yields the lines that are not empty. */
async function* linesIn(pieces: AsyncIterable<string>): AsyncGenerator<string, void> {
  let rest = '';
  let end = Date.now() + LINE_TIME;
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE) throw new Failure(`A line from Shopify is too long. ${AGAIN}`);
    for (const line of lines) {
      if (line.trim() === '') continue;
      yield line;
      end = Date.now() + LINE_TIME;
    }
    if (Date.now() > end) throw new Incomplete(`The file from Shopify does not go on. ${AGAIN}`);
  }
  if (rest.trim() !== '') yield rest;
}
