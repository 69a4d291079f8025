import { roughly } from '../../../../../common/duration.ts';
import type { SyncFlags } from './options.ts';
import { Failure } from '../../../stores/failure.ts';

/** @throws Failure if what was read is older than `--max-age` allows: the export may have stopped */
export function checkAge(readAt: Date, path = '-', { maxAge, readAt: given }: SyncFlags): void {
  if (maxAge === undefined) return;
  const age = (Date.now() - readAt.getTime()) / 1000;
  if (age <= maxAge.seconds) return;
  const ago = `${roughly(age)} ago`;
  const what =
    given === undefined ? `${path} was written ${ago}` : `What --read-at names was ${ago}`;
  throw new Failure(
    `${what}, and --max-age is ${maxAge.text}: the export may have stopped. Nothing was changed.`,
  );
}
