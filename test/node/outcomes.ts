import { BrandApiError } from '../../client/src/index.ts';

/** The error of a promise that must fail, and with the client's own class of errors. */
export async function failure(promise: Promise<unknown>): Promise<BrandApiError> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('value' in outcome) throw new Error(`No error but ${JSON.stringify(outcome.value)}`);
  if (!(outcome.error instanceof BrandApiError)) throw outcome.error;
  return outcome.error;
}

/** All that a list gives. */
export async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
}
