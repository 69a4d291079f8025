import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';

// Cloudflare splits a file into statements without knowing comments, and then refuses it: cloudflare/workers-sdk, issues
// 3892 and 4713. A local database takes it.
it.each(env.MIGRATIONS.map(({ name, queries }) => [name, queries] as const))(
  'No comment of a migration has a semicolon or a quotation mark: %s',
  (_, queries) => {
    const comments = queries.flatMap((query) => query.match(/--.*$|\/\*[^]*?\*\//gm) ?? []);
    expect(comments.filter((comment) => /[;'"`]/.test(comment))).toEqual([]);
  },
);
