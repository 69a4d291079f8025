import { isDeepStrictEqual } from 'node:util';

// What every client of the usual design does.

/** The number of concurrent requests of a client of the usual design. */
const AT_ONCE = 4;

/** Sends a request for each item, four at a time. */
export async function forEachItem<T>(
  items: readonly T[],
  send: (item: T) => Promise<unknown>,
): Promise<void> {
  const left = items.values();
  const sender = async (): Promise<void> => {
    for (const item of left) await send(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
}

/** Returns the fields of an item that differ from those in the service; undefined if none does. */
export function differences(
  item: object,
  found: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  const different = Object.entries(item).filter(
    ([field, value]) => !isDeepStrictEqual(found[field], value),
  );
  return different.length > 0 ? Object.fromEntries(different) : undefined;
}
