import manifest from '../../package.json' with { type: 'json' };
import { BrandApiError } from '../index.ts';
import { Failure } from '../../../common/failure.ts';
import { networkReason } from '../stores/network-reason.ts';
import { Secrets } from '../stores/secrets.ts';
import { printable } from '../../../common/terminal/printable.ts';
import { reasonOf } from '../../../common/terminal/reason.ts';
import type { CommandContext } from './context.ts';

export const STOPPED = 'Stopped before the end.';

/** Returns an error as a sentence, with the request that failed, or the reason why there was no answer. */
export function sentenceOf(error: unknown): string {
  // It says its reason itself.
  if (error instanceof Failure) return error.message;
  if (!(error instanceof BrandApiError)) return reasonOf(error);
  const { message, requestId, status, cause } = error;
  if (requestId !== undefined) return `${message} (request ${requestId})`;
  return status === undefined && cause !== undefined
    ? `${message} ${networkReason(cause)}`
    : message;
}

/** Returns what the environment has that no message may show. */
export function secretsIn({ env, stores }: Pick<CommandContext, 'env' | 'stores'>): Secrets {
  const ofStores = stores
    .flatMap(({ variables }) => variables)
    .filter(({ isSecret }) => isSecret)
    .map(({ name }) => name);
  return new Secrets(...['BRAND_API_KEY', ...ofStores].map((name) => (env[name] ?? '').trim()));
}

/** Writes a sentence as one line on standard error. */
export function say({ stderr, secrets }: CommandContext, sentence: string): void {
  stderr.write(`${printable(secrets.hide(sentence))}\n`);
}

export function sayError(context: CommandContext, sentence: string): void {
  say(context, `error: ${sentence}`);
}

/** If an error is none that somebody foresaw, says where it is from: its sentence alone would help nobody. */
export function sayBug(context: CommandContext, error: unknown): void {
  if (!isBug(error)) return;
  say(
    context,
    `This is a bug of brand-integration ${manifest.version}. Report it with these lines:`,
  );
  for (const line of (error.stack ?? '').split('\n')) say(context, line);
}

const FORESEEN = [Failure, BrandApiError, DOMException];

function isBug(error: unknown): error is Error {
  if (!(error instanceof Error) || FORESEEN.some((kind) => error instanceof kind)) return false;
  // The system says no, for example because a disk is full.
  return !('syscall' in error);
}
