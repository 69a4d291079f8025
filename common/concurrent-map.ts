/**
 * Does the same for each value, several at a time, and returns the results in the order of the values. Once one fails, it begins
 * no more, and waits for those that it has begun.
 * @param work its signal aborts when another one has failed
 * @throws the first error
 */
export async function concurrentMap<T, R>(
  values: readonly T[],
  atOnce: number,
  work: (value: T, failed: AbortSignal) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const failure = new AbortController();
  const queue = values.entries();
  const worker = async (): Promise<void> => {
    for (const [index, value] of queue) {
      if (failure.signal.aborted) return;
      try {
        results[index] = await work(value, failure.signal);
      } catch (error) {
        failure.abort(error);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  failure.signal.throwIfAborted();
  return results;
}
