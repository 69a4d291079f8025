import { expect, inject, it } from 'vitest';
import { Secrets } from '../../src/stores/secrets.ts';
import { contentOf } from '../../src/stores/content.ts';
import { TESTED_STORES } from '../fixtures/stores.ts';

// The readers of stores use nothing but `fetch` and what the Web has, so that they run in a Worker too.

it.each(TESTED_STORES)(
  'A store is read to its end in a Worker, and says what it has: $name',
  async (store) => {
    const env = inject('storeEnvironments')[store.name] ?? {};
    const { signal } = new AbortController();
    const connected = store.connect({
      env,
      signal,
      collection: 'products',
      secrets: new Secrets(),
    });
    const content = await connected.read();
    const { items, doubts, skipped } = contentOf({ store, content }, { collection: 'products' });
    const gave = `the reader of ${store.name} gave ${items.length} of 152 products`;
    expect(items.length, `${gave}: which pages did it leave out?`).toBe(152);
    expect([doubts, skipped]).toEqual([[], []]);
    expect(items[0]).toMatchObject({ title: 'Thing 1', priceCents: 850, currencyCode: 'EUR' });

    const confirmed = await connected.confirm([{ id: 'here', ...items[0] }]);
    expect([...confirmed]).toEqual([['here', expect.any(String)]]);
  },
);
