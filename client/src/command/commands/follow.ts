import { setTimeout } from 'node:timers/promises';
import type { ChangesPage } from '../../index.ts';
import { BrandApiError } from '../../index.ts';
import type { AnyResource } from '../collections.ts';
import { collectionOf } from '../collections.ts';
import type { ConnectionOptions } from '../connection.ts';
import { connect } from '../connection.ts';
import { EXIT, Failure, sentenceOf } from '../failure.ts';
import type { CollectionName } from '../files/fields.ts';
import { sayError } from '../secrets.ts';
import { StateFile } from '../state-file.ts';
import type { Surroundings } from '../surroundings.ts';
import { write } from '../terminal/output.ts';

/** The options of `follow`. */
export interface FollowOptions extends ConnectionOptions {
  readonly collection: CollectionName;
  /** The path of the file with the token of the last run. */
  readonly state: string;
  readonly reset?: boolean;
  /** In seconds. */
  readonly every?: number;
}

/** Prints what changed since the last run, one JSON object a line. */
export async function follow(around: Surroundings, options: FollowOptions): Promise<number> {
  const { client, url } = connect(around, options);
  const { stdout, signal } = around;
  const collection = collectionOf(client, options.collection);
  const state = await StateFile.open(options.state, {
    url,
    collection: options.collection,
    reset: options.reset ?? false,
  });
  for (let isFirst = true; ; isFirst = false) {
    try {
      for await (const page of collection.changes({ since: state.since })) {
        await write(stdout, linesOf(page));
        // Afterwards, so that a line may come twice and is never lost.
        await state.save(page.since);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (isFirst || options.every === undefined || !isPassing(error)) {
        throw explainedToken(error, options.state);
      }
      sayError(around, sentenceOf(error));
    }
    if (options.every === undefined) return EXIT.done;
    await setTimeout(options.every * 1000, undefined, { signal });
  }
}

function linesOf({ changed, deleted }: ChangesPage<AnyResource>): string {
  const objects = [
    ...changed.map((resource) => ({ changed: resource })),
    ...deleted.map((id) => ({ deleted: id })),
  ];
  return objects.map((object) => `${JSON.stringify(object)}\n`).join('');
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
