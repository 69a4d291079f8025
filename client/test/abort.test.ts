import { afterEach, expect, it, vi } from 'vitest';
import { wait, within } from '../src/abort.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const forever = (): Promise<never> => new Promise(() => undefined);

// A signal with a listener lives as long as the signals that it combines, with all that the listener can reach: of a list that
// is read in thousands of pieces, each piece.
it.each<[string, (signal: AbortSignal) => Promise<unknown>]>([
  ['work is done', (signal) => within(async () => Promise.resolve(1), 1000, [signal])],
  ['work fails', (signal) => within(async () => Promise.reject(new Error('no')), 1000, [signal])],
  ['the time is over', (signal) => within(forever, 1, [signal])],
  ['a pause is over', (signal) => wait(1, [signal])],
])('A signal has no listener when its work has ended: %s', async (_, work) => {
  const added = vi.spyOn(AbortSignal.prototype, 'addEventListener');
  const removed = vi.spyOn(AbortSignal.prototype, 'removeEventListener');
  await work(new AbortController().signal).catch(() => undefined);
  expect(added).toHaveBeenCalled();
  expect(removed.mock.calls.map(([, listener]) => listener).toSorted()).toEqual(
    added.mock.calls.map(([, listener]) => listener).toSorted(),
  );
});
