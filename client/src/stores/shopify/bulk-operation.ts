import { wait } from '../../abort.ts';
import type { AdminApi } from './api.ts';
import type { JsonObject } from '../json.ts';
import { isJsonObject, numberOf, objectOf, objectsOf, textOf } from '../json.ts';
import { OPERATION_BY_ID, RUNNING, START } from './queries.ts';

export interface BulkResult {
  /** Where the file is; undefined if there is no object. */
  readonly url: URL | undefined;
  /** How many lines it has. */
  readonly count: number;
}

export interface BulkWaitOptions {
  readonly signal: AbortSignal;
  /** Called with the number of objects that Shopify has found so far, and with 0 before it starts. */
  readonly onCount: (count: number) => void;
  /** How long other operations of this app are waited for, in milliseconds. */
  readonly patience?: number | undefined;
}

/** The pause between two questions, in milliseconds: it grows from the first to the second. */
const [FIRST_PAUSE, LAST_PAUSE] = [250, 10_000];

const PATIENCE = 15 * 60_000;

/**
 * Runs a query over a whole shop, and waits for its end. If the command ends before, the operation goes on at Shopify: it
 * reads only, and the command writes nothing to a shop, not even that it shall end.
 * @throws Failure if its result is not the whole
 */
export async function runBulkOperation(
  api: AdminApi,
  query: string,
  waiting: BulkWaitOptions,
): Promise<BulkResult> {
  let operation = await started(api, query, waiting);
  for (const pause of pauses()) {
    const result = bulkResultOf(operation, api);
    if (result !== undefined) return result;
    waiting.onCount(numberOf(operation['objectCount']) ?? 0);
    await wait(pause, [waiting.signal]);
    const data = await api.query(OPERATION_BY_ID, { id: operation['id'] });
    if (!isJsonObject(data['bulkOperation'])) throw lost(api);
    operation = data['bulkOperation'];
  }
  throw lost(api);
}

function lost(api: AdminApi): Error {
  return api.failure('does not know its own bulk operation any more. Run the command again.');
}

/** Yields pauses without an end. */
function* pauses(): Generator<number, void> {
  for (let pause = FIRST_PAUSE; ; pause = Math.min(LAST_PAUSE, pause * 1.5)) yield pause;
}

/** Starts it, as soon as fewer operations of this app are running. */
async function started(
  api: AdminApi,
  query: string,
  waiting: BulkWaitOptions,
): Promise<JsonObject> {
  const { signal, patience = PATIENCE } = waiting;
  const end = Date.now() + patience;
  for (const pause of pauses()) {
    const data = await api.query(START, { query });
    const { bulkOperation, userErrors } = objectOf(data['bulkOperationRunQuery']);
    if (isJsonObject(bulkOperation)) return bulkOperation;
    const [error = {}] = objectsOf(userErrors);
    const code = textOf(error['code']) ?? '';
    if (!['OPERATION_IN_PROGRESS', 'LIMIT_REACHED'].includes(code)) {
      const reason = api.excerpt(textOf(error['message']) ?? 'it gave no reason', 300);
      throw api.failure(`does not start a bulk operation: ${reason}`);
    }
    if (Date.now() + pause > end) throw await occupied(api);
    waiting.onCount(0);
    await wait(pause, [signal]);
  }
  throw lost(api);
}

/** Names the operations that did not end. */
async function occupied(api: AdminApi): Promise<Error> {
  const { nodes } = objectOf((await api.query(RUNNING))['bulkOperations']);
  const running = objectsOf(nodes).filter(({ status }) => isRunning(status));
  const names = running.map(({ id, createdAt }) => `${String(id)}, since ${String(createdAt)}`);
  return api.failure(
    `is still busy with other bulk operations of this app${names.length === 0 ? '' : ` (${names.join('; ')})`}. Run the command again when they have ended, or give it an app of its own.`,
  );
}

const RUNNING_STATES: ReadonlySet<unknown> = new Set(['CREATED', 'RUNNING', 'CANCELING']);

function isRunning(status: unknown): boolean {
  return RUNNING_STATES.has(status);
}

/** Why an operation failed, by its error code. */
const FAILURES: Readonly<Record<string, string>> = {
  ACCESS_DENIED:
    'did not let the app read everything. Give the app the scopes read_products and read_discounts, and install it again.',
  TIMEOUT: 'took too long for its own limit. Run the command again.',
  INTERNAL_SERVER_ERROR:
    'had an error of its own while it collected the data. Run the command again.',
};

/** Returns the result of an operation; undefined if it has not ended. @throws Failure if it is not the whole */
function bulkResultOf(operation: JsonObject, api: AdminApi): BulkResult | undefined {
  const { status, errorCode, partialDataUrl } = operation;
  if (isRunning(status)) return undefined;
  if (status === 'FAILED') {
    throw api.failure(
      FAILURES[textOf(errorCode) ?? ''] ??
        `could not complete its bulk operation (${textOf(errorCode) ?? 'without a reason'}). Run the command again.`,
    );
  }
  if (status === 'CANCELED') {
    throw api.failure('had its bulk operation canceled by somebody. Run the command again.');
  }
  if (status === 'EXPIRED') {
    throw api.failure('no longer has the result of its bulk operation. Run the command again.');
  }
  const [url, count] = [textOf(operation['url']), numberOf(operation['objectCount'])];
  const isWhole = (url === undefined) === (count === 0) && partialDataUrl == null;
  if (status !== 'COMPLETED' || count === undefined || !isWhole) {
    throw api.failure(
      'has only a part of the result of its bulk operation. Run the command again.',
    );
  }
  return { url: url === undefined ? undefined : fileAddress(url, api), count };
}

function fileAddress(text: string, api: AdminApi): URL {
  if (!URL.canParse(text)) throw api.failure('named no address for the result.');
  return new URL(text);
}
