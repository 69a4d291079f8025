import { setTimeout } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Bound, Database, Move, Status } from '../../mover/index.ts';
import { readStatus } from '../../mover/index.ts';
import { moverOf } from '../mover-name.ts';
import { runWrangler } from '../wrangler.ts';
import { AdminError, noDatabase } from './admin-error.ts';
import type { DatabaseTarget } from './database.ts';
import type { OpenDatabase } from './execute.ts';
import { explain } from './failures.ts';
import type { Mover } from './moves.ts';
import { note } from './output.ts';

/** How long to wait before D1 is asked again, in milliseconds. Each time takes wrangler seconds. */
const PAUSE = 2000;

/** After how many milliseconds without a step the operator hears of it. */
const QUIET = 60_000;

/**
 * Moves brands between deployed databases: starts the mover's Workflow, which does the work, and watches in D1 how far it
 * is.
 * @param api the name of the API's Worker
 */
export function remoteMover(
  all: readonly OpenDatabase[],
  api: string,
  target: DatabaseTarget,
): Mover {
  const databases = new Map(all.map((execute) => [execute.database, moverDatabase(execute)]));
  const at = (number: number): Database => {
    const database = databases.get(number);
    if (database === undefined) throw noDatabase(number, [...databases.keys()]);
    return database;
  };
  const workflow = moverOf(api);
  return {
    numbers: [...databases.keys()],
    at,
    tidiesAlone: true,
    // What a command sends to a deployed database is retried already.
    patiently: (work) => work(),
    drive: async (move, report) => {
      const instance = await start(workflow, move, target);
      let [attempt, since, isTold] = [-1, Date.now(), false];
      for (;;) {
        const status = await readStatus(at(move.source), at(move.target), move);
        await report(move, status?.copiedRows ?? 0);
        if (status === undefined || isAtRest(status)) return;
        if (status.attempt !== attempt) [attempt, since] = [status.attempt, Date.now()];
        else if (!isTold && Date.now() - since > QUIET) {
          isTold = true;
          const command = `npx wrangler workflows instances describe ${workflow} ${status.driver ?? instance}`;
          note(`Nothing has happened for a minute. It is tried again; to see why: ${command}`);
        }
        await setTimeout(PAUSE);
      }
    },
  };
}

/** Whether there is nothing to do at once. */
function isAtRest({ state }: Status): boolean {
  return state === 'settled' || state === 'tidied' || state === 'over';
}

/**
 * Starts an instance of the Workflow for a move. It takes over from an earlier one.
 * @returns its id
 * @throws AdminError if it cannot be started
 */
async function start(workflow: string, move: Move, { env = '' }: DatabaseTarget): Promise<string> {
  const { brandId, source } = move;
  const id = `${move.id}-${Date.now().toString(36)}`;
  const started = JSON.stringify({ source, brandId, move: move.id });
  const flags = [`--id=${id}`, '--json', `--env=${env}`];
  const { code, stdout, stderr } = await runWrangler([
    ...['workflows', 'trigger', workflow, started, ...flags],
  ]);
  if (code === 0) return id;
  const said = stdout + stderr;
  const waits = 'The move has begun, and waits: run the command again, or give it up with --abort.';
  if (/\[code: 10200\]|[Ww]orkflow(\.|_)?not_?[Ff]ound/.test(said)) {
    const deploy = `npm run deploy${env === '' ? '' : ` -- --env ${env}`}`;
    throw new AdminError(`The Worker that moves brands is not deployed: ${deploy}. ${waits}`);
  }
  const see = `workflows describe ${workflow} --env=${env}`;
  throw new AdminError(`${explain(said, { flags: '--remote', env, see }).reason} ${waits}`);
}

/** Returns a database for the mover. Its statements go the way of all commands. */
export function moverDatabase(execute: OpenDatabase): Database {
  return {
    transact: async (statements) => {
      const { results, bytes } = await execute.measure(...statements.map(withValues));
      return { rows: results, size: bytes ?? 0 };
    },
  };
}

function withValues({ text, values }: Bound): SQL {
  const parts = text.split(/\?(\d+)/);
  return sql.join(
    parts.map((part, n) => (n % 2 === 0 ? sql.raw(part) : sql`${values[Number(part) - 1]}`)),
  );
}
