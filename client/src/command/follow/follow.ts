import type { FileHandle } from 'node:fs/promises';
import { tryLock } from '../../../../common/file-lock.ts';
import { printableJson } from '../../../../common/terminal/printable.ts';
import { wait } from '../../abort.ts';
import type { ChangesPage } from '../../index.ts';
import { BrandApiError } from '../../index.ts';
import { collectionOf } from '../service/collections.ts';
import type { ServiceFlags } from '../service/connection.ts';
import { connect } from '../service/connection.ts';
import type { CollectionName } from '../../fields.ts';
import { ProgramFailure, runPageProgram } from './page-program.ts';
import { followedLinks, isToken, StateFile } from './state-file.ts';
import { sayError, sentenceOf } from '../messages.ts';
import type { CommandContext } from '../context.ts';
import { afterGrace } from '../context.ts';
import { endLastLine, syncOutput } from './file-output.ts';
import { write } from '../terminal/output.ts';
import type { AnyResource } from '../../stores/source.ts';
import { EXIT, Failure } from '../../../../common/failure.ts';

interface FollowFlags extends ServiceFlags {
  readonly collection: CollectionName;
  readonly state: string;
  readonly reset?: true;
  /** In seconds. */
  readonly every?: number;
  readonly exec?: string;
}

/** How often it is looked whether somebody else still has the lock, in milliseconds. */
const PAUSE = 200;

/** Prints what changed since the last run, one JSON object a line, or gives it to a program. */
export async function follow(context: CommandContext, options: FollowFlags): Promise<number> {
  const { stdout, signal } = context;
  const { exec: command } = options;
  const { client, url } = connect(context, options);
  const path = await followedLinks(options.state);
  // Before the state is read: who has the lock may save another token.
  const lock = command === undefined ? undefined : await lockOf(`${path}.lock`, context);
  const late = afterGrace(signal);
  let isFirst = true;
  /** Once it returns, the lines are not needed again. */
  const deliver = async (lines: string): Promise<void> => {
    if (command !== undefined && lock !== undefined) {
      return runPageProgram(lines, { ...context, late, command, path: `${path}.page`, lock });
    }
    if (isFirst) await endLastLine(stdout);
    isFirst = false;
    await write(stdout, lines);
    await syncOutput(stdout);
  };
  try {
    const collection = collectionOf(client, options.collection);
    const state = await StateFile.open(path, { url, collection: options.collection }, options);
    const poll = async (): Promise<void> => {
      for await (const page of collection.changes({ since: state.since })) {
        const since = await state.tokenAfter(tokenOf(page));
        const lines = pageText(page);
        if (lines !== '') await deliver(lines);
        // Afterwards, so that a line may come twice and is never lost.
        await state.save(since);
        // The token of an earlier run, which the next page does not follow.
        if (since !== page.since) return poll();
      }
    };
    return await repeat(poll, context, options);
  } finally {
    await lock?.close();
  }
}

/** Polls once, or again and again until a signal. */
async function repeat(
  poll: () => Promise<void>,
  context: CommandContext,
  { every, state }: FollowFlags,
): Promise<number> {
  const { signal } = context;
  for (let isFirst = true; ; isFirst = false) {
    try {
      await poll();
    } catch (error) {
      signal.throwIfAborted();
      const mayPass = error instanceof ProgramFailure || (!isFirst && isPassing(error));
      if (every === undefined || !mayPass) throw explainedToken(error, state);
      sayError(context, sentenceOf(error));
    }
    if (every === undefined) return EXIT.done;
    await wait(every * 1000, [signal]);
  }
}

/**
 * Waits until nobody has the lock of a file, and takes it. A program that a killed command left behind holds it.
 * @throws Failure if it cannot be locked; the reason of the signal
 */
async function lockOf(path: string, { signal, stderr }: CommandContext): Promise<FileHandle> {
  for (let isFirst = true; ; isFirst = false) {
    const file = await tryLock(path);
    if (file !== undefined) return file;
    if (isFirst) {
      stderr.write('Waiting: another follow, or a program of an earlier one, uses this state.\n');
    }
    await wait(PAUSE, [signal]);
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
