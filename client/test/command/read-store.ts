import { expect } from 'vitest';
import { Failure } from '../../../common/failure.ts';
import { contentOf } from '../../src/stores/content.ts';
import { Secrets } from '../../src/stores/secrets.ts';
import type { AnyResource, Content } from '../../src/stores/source.ts';
import type { ConnectedStore, Store, StoreOptions } from '../../src/stores/store.ts';
import { passed } from './passing-time.ts';

// What the reader of a store understands, and what it says. Neither needs the service.

type Asked = Pick<StoreOptions, 'env' | 'fetch'>;

/** What is special about a reading. */
type Special = Partial<Omit<StoreOptions, keyof Asked>>;

export function connectedTo(
  store: Store,
  { env, fetch }: Asked,
  special: Special = {},
): ConnectedStore {
  const { signal } = new AbortController();
  const secrets = new Secrets();
  return store.connect({ collection: 'products', signal, secrets, ...special, env, fetch });
}

export async function readStore(
  store: Store,
  asked: Asked,
  special: Special = {},
): Promise<Content> {
  const content = await connectedTo(store, asked, special).read();
  return contentOf({ store, content }, { collection: 'products', ...special });
}

/** Returns why these resources, which the list of a store lacked, are kept; undefined of each that is gone. */
export async function whyKept(
  store: Store,
  asked: Asked,
  resources: readonly AnyResource[],
  special?: Special,
): Promise<(string | undefined)[]> {
  const confirmed = await connectedTo(store, asked, special).confirm(resources);
  expect([...confirmed.keys()]).toEqual(resources.map(({ id }) => id));
  return [...confirmed.values()];
}

/** Returns why a store cannot be read, as one line. The clock must be fake, so that nobody waits before a further try. */
export async function whyUnread(store: Store, asked: Asked, special?: Special): Promise<string> {
  const { result } = await passed(readStore(store, asked, special), 100);
  if (result instanceof Failure && !result.message.includes('\n')) return result.message;
  throw new Error('It was read, or the reason is none of one line.', { cause: result });
}
