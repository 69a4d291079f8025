import { userInfo } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { SQL } from 'drizzle-orm';
import type { DatabaseBinding } from '../../../src/operator.ts';
import { bindingOf } from '../../../src/operator.ts';
import { reasonOf } from '../../../common/terminal/reason.ts';
import { Failure } from '../../../common/failure.ts';
import {
  DatabaseFailure,
  PERHAPS_CHANGED,
  UNCHANGED,
} from '../../../common/wrangler/database-failure.ts';
import type { DatabaseTarget } from './target.ts';
import type { Measurement } from './open-database.ts';
import { batchOn, inline, OpenDatabase } from './open-database.ts';
import { explain } from './failures.ts';
import { openLocally } from './local.ts';
import { note } from '../../../common/terminal/note.ts';
import { shellWord } from '../../../common/terminal/shell-word.ts';
import { checkedText } from '../validation.ts';
import { runWrangler } from '../../../common/wrangler/wrangler.ts';
import type { TryResult } from './remote-answer.ts';
import { answerOf } from './remote-answer.ts';

/** The maximum number of tries if the database is busy. */
const TRIES = 10;

/** The maximum wait before a retry, in milliseconds. It doubles with each try, up to the second constant. */
const FIRST_WAIT = 200;
const LONGEST_WAIT = 3000;

/**
 * Opens the local database in this process, or the deployed one through `wrangler d1 execute`, with wrangler's login.
 * Statements are retried if the database was busy or had a transient failure.
 * @returns a function that runs statements; it throws DatabaseFailure with a sentence for the operator
 */
export function openDatabase(target: DatabaseTarget): OpenDatabase {
  const { number } = target;
  const binding = bindingOf(number ?? 0);
  const measure = async (...statements: readonly SQL[]): Promise<Measurement> => {
    let isUnsure = false;
    for (let tried = 1; ; tried++) {
      const result = target.remote
        ? await executeRemotely(statements, binding, target)
        : await executeLocally(statements, binding, target);
      if ('results' in result) return result;
      const { reason, consequence, passes } = explain(result.report, {
        flags: targetFlags(target).map(shellWord).join(' '),
        env: target.env,
        binding,
      });
      if (!passes || tried === TRIES) {
        throw new DatabaseFailure(
          number === undefined ? reason : `Database ${number}: ${reason}`,
          isUnsure ? PERHAPS_CHANGED : consequence,
        );
      }
      // A try whose answer was lost may have made the change, whatever a later one says.
      isUnsure ||= consequence !== UNCHANGED;
      note('The database is busy. Trying again.');
      await setTimeout(Math.random() * Math.min(FIRST_WAIT * 2 ** tried, LONGEST_WAIT));
    }
  };
  return new OpenDatabase(measure, actorOf(target), number ?? 0);
}

/**
 * Returns the operator's name for the audit trail: the given one, or the account that runs the tool.
 * @throws Failure if the given one cannot be stored
 */
export function actorOf({ actor }: DatabaseTarget): string {
  return checkedText('name given by --actor', actor ?? accountName());
}

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container, for example, the account may have only a number.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

async function executeLocally(
  statements: readonly SQL[],
  binding: DatabaseBinding,
  { persistTo }: DatabaseTarget,
): Promise<TryResult> {
  try {
    return await batchOn(await openLocally(binding, persistTo), statements);
  } catch (error) {
    if (error instanceof Failure) throw error;
    return { report: reasonOf(error) };
  }
}

async function executeRemotely(
  statements: readonly SQL[],
  binding: DatabaseBinding,
  target: DatabaseTarget,
): Promise<TryResult> {
  const finished = await runWrangler(
    [
      'd1',
      'execute',
      binding,
      '--json',
      '--yes',
      // The empty environment is the top level, even if a file .env names another one.
      ...targetFlags({ ...target, env: target.env ?? '' }),
    ],
    { statements: statements.map(inline).join(';\n') },
  );
  return answerOf(finished);
}

/** Returns wrangler's flags for a database. */
function targetFlags({ remote, env, persistTo }: DatabaseTarget): string[] {
  return [
    remote ? '--remote' : '--local',
    ...(env === undefined ? [] : [`--env=${env}`]),
    ...(persistTo === undefined ? [] : [`--persist-to=${persistTo}`]),
  ];
}
