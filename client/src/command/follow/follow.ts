import { setTimeout } from 'node:timers/promises';
import { printableJson } from '../../../../common/terminal/printable.ts';
import type { ChangesPage } from '../../index.ts';
import { BrandApiError } from '../../index.ts';
import { collectionOf } from '../service/collections.ts';
import type { Connection } from '../service/connection.ts';
import { connect } from '../service/connection.ts';
import type { CollectionName } from '../../stores/fields.ts';
import { lock } from './lock.ts';
import { ProgramFailure, runPageProgram } from './page-program.ts';
import { sayError } from '../secrets.ts';
import { followedLinks, isToken, StateFile } from './state-file.ts';
import type { Surroundings } from '../surroundings.ts';
import { afterGrace } from '../surroundings.ts';
import { endLastLine, syncOutput } from './file-output.ts';
import { write } from '../terminal/output.ts';
import type { AnyResource } from '../../stores/source.ts';
import type { AnyCollection } from '../service/collections.ts';
import { EXIT, sentenceOf } from '../failure.ts';
import { Failure } from '../../stores/failure.ts';

export interface FollowFlags {
  readonly url?: string;
  readonly collection: CollectionName;
  /** The path of the file with the token of the last run. */
  readonly state: string;
  readonly reset?: boolean;
  /** In seconds. */
  readonly every?: number;
  /** A command for the shell, which gets the lines instead of the output. */
  readonly exec?: string;
}

/** Takes the lines of a page. Once it returns, they are not needed again. */
type Delivery = (lines: string) => Promise<void>;

/** Prints what changed since the last run, one JSON object a line, or gives it to a program. */
export async function follow(around: Surroundings, options: FollowFlags): Promise<number> {
  const { stdout, stderr, signal } = around;
  const { exec } = options;
  const connection = connect(around, options.url);
  const path = await followedLinks(options.state);
  if (exec === undefined) {
    let isFirst = true;
    return followTo(around, { ...options, ...connection, path }, async (lines) => {
      if (isFirst) await endLastLine(stdout);
      isFirst = false;
      await write(stdout, lines);
      await syncOutput(stdout);
    });
  }
  // Before the state is read: who has the lock may save another token.
  const locked = await lock(`${path}.lock`, signal, () => {
    stderr.write('Waiting: another follow, or a program of an earlier one, uses this state.\n');
  });
  try {
    const late = afterGrace(signal);
    const program = { ...around, late, command: exec, path: `${path}.page`, lock: locked };
    return await followTo(around, { ...options, ...connection, path }, (lines) =>
      runPageProgram(lines, program),
    );
  } finally {
    await locked.close();
  }
}

interface FollowTarget extends Omit<FollowFlags, 'url'>, Connection {
  /** The path of the state, without links. */
  readonly path: string;
}

async function followTo(
  around: Surroundings,
  { client, url, path, ...options }: FollowTarget,
  deliver: Delivery,
): Promise<number> {
  const collection = collectionOf(client, options.collection);
  const state = await StateFile.open(path, {
    url,
    collection: options.collection,
    reset: options.reset ?? false,
  });
  for (let isFirst = true; ; isFirst = false) {
    try {
      for await (const page of pagesAfter(state, collection)) {
        const since = await state.tokenAfter(tokenOf(page));
        const lines = pageText(page);
        if (lines !== '') await deliver(lines);
        // Afterwards, so that a line may come twice and is never lost.
        await state.save(since);
      }
    } catch (error) {
      around.signal.throwIfAborted();
      const mayPass = error instanceof ProgramFailure || (!isFirst && isPassing(error));
      if (options.every === undefined || !mayPass) throw explainedToken(error, options.state);
      sayError(around, sentenceOf(error));
    }
    if (options.every === undefined) return EXIT.done;
    await setTimeout(options.every * 1000, undefined, { signal: around.signal });
  }
}

/** Yields what changed since a state, page by page. Who takes a page saves a token before the next one. */
async function* pagesAfter(
  state: StateFile,
  collection: AnyCollection,
): AsyncGenerator<ChangesPage<AnyResource>, void> {
  for (let isWhole = false; !isWhole;) {
    isWhole = true;
    for await (const page of collection.changes({ since: state.since })) {
      yield page;
      // The token of an earlier run, which the next page does not follow.
      isWhole = state.since === page.since;
      if (!isWhole) break;
    }
  }
}

/** @throws Failure if something else answered than the service: what it sent is not printed */
function tokenOf({ since }: { readonly since: unknown }): string {
  if (isToken(since)) return since;
  throw new Failure('The response has no token. Is the address of the service right?');
}

function pageText({ changed, deleted }: ChangesPage<AnyResource>): string {
  const objects = [
    ...changed.map((resource) => ({ changed: resource })),
    ...deleted.map((id) => ({ deleted: id })),
  ];
  return objects.map((object) => `${printableJson(object)}\n`).join('');
}

/** Whether an error may be gone at the next poll: the service did not answer, or was not available. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof BrandApiError)) return false;
  const { status = 500 } = error;
  return status >= 500 || status === 429;
}

/** Says what to do about a token that the service refuses. Returns other errors as they are. */
function explainedToken(error: unknown, path: string): unknown {
  if (!(error instanceof BrandApiError)) return error;
  if (error.status === 410) {
    return new Failure(
      `The token in ${path} is no longer good: it is too old, or the operator has restored a backup. Empty your copy, and start again with --reset.`,
    );
  }
  if (error.problems.some((problem) => problem.path === 'since')) {
    return new Failure(
      `The token in ${path} belongs to another brand. Name another file, or start again with --reset.`,
    );
  }
  return error;
}
