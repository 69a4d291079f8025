import { wait } from '../../abort.ts';
import { Failure } from '../../../../common/failure.ts';
import type { JsonObject } from '../json-values.ts';
import { isJsonObject, numberOf, objectOf, objectsOf, textOf } from '../json-values.ts';
import { measuredJson } from '../memory.ts';
import type { RequestContext } from '../store-requests.ts';
import { Incomplete, isLoopback, StoreRequests } from '../store-requests.ts';
import type { AdminApi } from './api.ts';
import { OPERATION_BY_ID, START } from './queries.ts';

interface BulkResult {
  /** Where the file is; undefined if there is no object. */
  readonly url: URL | undefined;
  readonly count: number;
}

interface BulkWaitOptions extends Pick<RequestContext, 'signal'> {
  /** Called with the number of objects that Shopify has found so far, and with 0 before it starts. */
  readonly onCount: (count: number) => void;
  /** How long other operations of this app are waited for, in milliseconds; by default a quarter of an hour. */
  readonly patience?: number | undefined;
}

/** The pause between two questions, in milliseconds: it grows from the first to the second. */
const [FIRST_PAUSE, LAST_PAUSE] = [250, 10_000];

const AGAIN = 'Run the command again.';

/**
 * Runs a query over a whole shop, and waits for its end. If the command ends before, the operation goes on at Shopify: it
 * reads only, and the command writes nothing to a shop, not even that it shall end.
 * @throws Failure if its result is not the whole
 */
export async function runBulkOperation(
  api: AdminApi,
  query: string,
  { signal, onCount, patience = 15 * 60_000 }: BulkWaitOptions,
): Promise<BulkResult> {
  const end = Date.now() + patience;
  const id = await askUntil(signal, async () => {
    onCount(0);
    const started = await startedId(api, query);
    if (started === undefined && Date.now() > end) {
      throw api.failure(
        'is still busy with other bulk operations of this app. Run the command again when they have ended, or give it an app of its own.',
      );
    }
    return started;
  });
  return askUntil(signal, async () => {
    const { bulkOperation: operation } = await api.query(OPERATION_BY_ID, { id });
    if (!isJsonObject(operation)) {
      throw api.failure(`does not know its own bulk operation any more. ${AGAIN}`);
    }
    onCount(numberOf(operation['objectCount']) ?? 0);
    return bulkResultOf(operation, api);
  });
}

/** Asks again and again, with growing pauses, until there is an answer. */
async function askUntil<T>(signal: AbortSignal, ask: () => Promise<T | undefined>): Promise<T> {
  for (let pause = FIRST_PAUSE; ; pause = Math.min(LAST_PAUSE, pause * 1.5)) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await wait(pause, [signal]);
  }
}

/** Starts it, and returns its id; undefined if too many operations of this app are running. */
async function startedId(api: AdminApi, query: string): Promise<string | undefined> {
  const { bulkOperationRunQuery: answer } = await api.query(START, { query });
  const { bulkOperation, userErrors } = objectOf(answer);
  if (isJsonObject(bulkOperation)) return textOf(bulkOperation['id']) ?? '';
  const [{ code, message } = {}] = objectsOf(userErrors);
  if (code === 'OPERATION_IN_PROGRESS' || code === 'LIMIT_REACHED') return undefined;
  throw api.failure('does not start a bulk operation: ', textOf(message) ?? 'it gave no reason');
}

const RUNNING_STATES: ReadonlySet<unknown> = new Set(['CREATED', 'RUNNING', 'CANCELING']);

/** Why there is no result, by the status of an operation, or its error code. */
const FAILURES: ReadonlyMap<unknown, string> = new Map([
  [
    'ACCESS_DENIED',
    'did not let the app read everything. Give the app the scopes read_products and read_discounts, and install it again.',
  ],
  ['TIMEOUT', 'took too long for its own limit.'],
  ['INTERNAL_SERVER_ERROR', 'had an error of its own while it collected the data.'],
  ['CANCELED', 'had its bulk operation canceled by somebody.'],
  ['EXPIRED', 'no longer has the result of its bulk operation.'],
  ['COMPLETED', 'has only a part of the result of its bulk operation.'],
]);

/** Returns the result of an operation; undefined if it has not ended. @throws Failure if it is not the whole */
function bulkResultOf(operation: JsonObject, api: AdminApi): BulkResult | undefined {
  const { status, errorCode, partialDataUrl } = operation;
  if (RUNNING_STATES.has(status)) return undefined;
  const [url, count] = [textOf(operation['url']), numberOf(operation['objectCount'])];
  const isAddress = url !== undefined && url.length <= LONGEST_ADDRESS && URL.canParse(url);
  const isWhole = url === undefined ? count === 0 : count !== 0 && isAddress;
  if (status === 'COMPLETED' && count !== undefined && isWhole && partialDataUrl == null) {
    return { url: url === undefined ? undefined : new URL(url), count };
  }
  const code = textOf(status === 'FAILED' ? errorCode : status) ?? 'without a reason';
  const sentence = FAILURES.get(code) ?? `could not complete its bulk operation (${code}).`;
  throw api.failure(`${sentence} ${AGAIN}`);
}

/** The longest address of a file, in UTF-16 units. */
const LONGEST_ADDRESS = 8192;

/** The longest line that is read, in UTF-16 units: a description has at most some 512 KB. */
const LONGEST_LINE = 16 * 2 ** 20;

/** How long the next line may take, however many pieces of it arrive meanwhile, in milliseconds. */
const LINE_TIME = 120_000;

/**
 * Reads the file of a bulk operation line by line. It is at another host, which gets no token.
 * @param shop only one on this machine may have its file there
 * @param begin called before the first line, and again if the file broke off; returns what takes each object, with the memory that
 *   it needs
 * @throws Failure if it is not the whole
 */
export async function readBulkFile(
  { url, count }: BulkResult,
  shop: URL,
  context: RequestContext,
  begin: () => (object: JsonObject, bytes: number) => void,
): Promise<void> {
  if (url === undefined) return;
  if (isLoopback(url.hostname) && !isLoopback(shop.hostname)) {
    throw new Failure(`Shopify named an address of this machine for the result. ${AGAIN}`);
  }
  if (url.protocol !== 'https:' && !isLoopback(url.hostname)) {
    throw new Failure(`Shopify named an address for the result that is not encrypted. ${AGAIN}`);
  }
  const requests = new StoreRequests({
    ...context,
    name: `The host of Shopify's files, ${url.host},`,
    // The address is a secret: whoever knows it can read the file.
    secrets: context.secrets.and(url.pathname, url.search),
    onRedirect: () => AGAIN,
    onDenied: ({ status }) => `does not give the result any more (status ${status}). ${AGAIN}`,
  });
  await requests.read({ method: 'GET', url }, async (pieces) => {
    const take = begin();
    let lines = 0;
    for await (const line of linesIn(pieces)) {
      const { json, bytes } = measuredJson(line, requests);
      if (!isJsonObject(json)) {
        throw new Incomplete(`Line ${lines + 1} of the file from Shopify is cut off. ${AGAIN}`);
      }
      take(json, bytes);
      lines++;
    }
    if (lines !== count) {
      throw new Incomplete(
        `The file from Shopify has ${lines} lines, and it should have ${count}. ${AGAIN}`,
      );
    }
  });
}

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
