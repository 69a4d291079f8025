import type { BrandClient } from '../../client/src/index.ts';
import type { Side } from '../../client/src/mirror/index.ts';
import { mirror } from '../../client/src/mirror/index.ts';
import type { FakeStore } from './fake-store.ts';
import { FIELDS } from './fake-store.ts';

/**
 * Returns a function that runs the mirror of a store, each time with the state that the last run stored.
 * @param client returns the client of a run
 */
export function keptMirror(
  store: FakeStore,
  client: () => BrandClient,
  report: (problem: string) => void,
): (winner?: Side) => Promise<void> {
  let state: string | undefined;
  return async (winner) =>
    mirror({
      products: client().products,
      store,
      fields: FIELDS,
      state,
      persist: (stored) => {
        state = stored;
        return Promise.resolve();
      },
      report,
      winner,
    });
}
