import * as z from 'zod';
import type { Configuration } from '../../../tools/admin/configuration.ts';
import { actorOf } from '../../../tools/admin/database.ts';
import type { Open } from '../../../tools/admin/databases.ts';
import type { Measured } from '../../../tools/admin/execute.ts';
import { inline, opened } from '../../../tools/admin/execute.ts';
import { runAdmin } from '../../../tools/admin/run.ts';

// The admin tool as a process that can be killed at any call. The process that has started it makes the calls, with
// databases that are open, where the tool itself would start a wrangler for each.

const value = z.union([z.string(), z.number(), z.null()]);
const answer = z.object({
  call: z.int(),
  results: z.array(z.array(z.record(z.string(), value))),
});

const NUMBERS = [0, 1, 2];

/** What waits for the answer of each call. */
const waiting: ((results: Measured['results']) => void)[] = [];

process.on('message', (message) => {
  const { call, results } = answer.parse(message);
  waiting[call]?.(results);
});

const open: Open = ({ number = 0, actor }) =>
  opened(
    async (...statements) => {
      const results = new Promise<Measured['results']>((resolve) => {
        const call = waiting.push(resolve) - 1;
        process.send?.({ call, number, statements: statements.map(inline) });
      });
      return { results: await results, bytes: 0 };
    },
    actorOf({ actor }),
    number,
  );

const configuration: Configuration = {
  hasSeveral: () => true,
  numbers: () => Promise.resolve(NUMBERS),
  databases: () => Promise.resolve(NUMBERS.map((number) => ({ number, name: '', id: 'id' }))),
  jurisdictions: () => Promise.resolve(new Map()),
};

process.exitCode = await runAdmin(process.argv.slice(2), open, configuration);
process.disconnect();
