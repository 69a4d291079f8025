import * as z from 'zod';
import { DatabaseFailure } from '../../../common/wrangler/database-failure.ts';
import type { FinishedProcess } from '../../../common/wrangler/wrangler.ts';
import type { Measurement } from './open-database.ts';

const executed = z.array(
  z.object({
    results: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()]))),
    meta: z.object({ size_after: z.number() }),
  }),
);
const failed = z.object({
  error: z.object({
    text: z.string(),
    // Cloudflare's API reports what happened here.
    notes: z.optional(z.array(z.object({ text: z.string() }))),
  }),
});

/** What a try gives: the rows of each statement, or D1's or wrangler's report of the failure. */
export type TryResult = Measurement | { readonly report: string };

/**
 * Reads what `wrangler d1 execute --json` printed.
 * @throws DatabaseFailure if it ended well, and this cannot be read
 */
export function answerOf({ code, stdout, stderr }: FinishedProcess): TryResult {
  const output = parse(stdout);
  const result = executed.safeParse(output);
  if (code === 0 && result.success) {
    return {
      results: result.data.map(({ results }) => results),
      bytes: result.data.at(-1)?.meta.size_after ?? 0,
    };
  }
  if (code === 0) {
    throw new DatabaseFailure(
      'wrangler ended well, but this tool cannot read what it printed.',
      'The change was probably made: look with the list commands before you repeat it. A new key that you have not seen should be revoked, and an old one may expire.',
    );
  }
  const failure = failed.safeParse(output);
  if (!failure.success) return { report: stderr + stdout };
  const { text, notes = [] } = failure.data.error;
  return { report: [text, ...notes.map((note) => note.text)].join('\n') };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
