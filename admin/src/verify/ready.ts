import { setTimeout } from 'node:timers/promises';
import { fetchNamed } from './service.ts';

/** How long a new address may take until it serves, and how long to wait between two tries, in milliseconds. */
const READY_WITHIN = 5 * 60_000;
const PAUSE = 2000;

/** What Cloudflare answers until it has distributed a new address. */
const UNKNOWN_ORIGIN = 523;

/** The codes of TLS errors that a server without a certificate for the address sends. Others do not pass by themselves. */
const NO_CERTIFICATE = /^ERR_SSL_.*(?:ALERT|UNRECOGNIZED_NAME)/;

interface WaitOptions {
  readonly signal?: AbortSignal;
  readonly show: (line: string) => void;
}

/** Waits until Cloudflare knows an address, which takes some minutes if it is new. Says so, and gives up in the end. */
export async function untilKnown(origin: string, { signal, show }: WaitOptions): Promise<void> {
  const end = Date.now() + READY_WITHIN;
  for (let tried = 0; Date.now() < end && !signal?.aborted; tried++) {
    const problem = await unknownBecause(origin);
    if (problem === undefined) return;
    if (tried === 0) {
      show(`waiting ${problem}. Cloudflare needs some minutes for a new address: up to five.`);
    }
    await setTimeout(PAUSE, undefined, { signal }).catch(() => undefined);
  }
}

/** Returns how Cloudflare says that it does not know an address yet; undefined for every other answer. */
async function unknownBecause(origin: string): Promise<string | undefined> {
  try {
    const { status, body } = await fetchNamed(new URL(origin));
    await body?.cancel();
    return status === UNKNOWN_ORIGIN ? `The address answers ${status}` : undefined;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    return NO_CERTIFICATE.test(code) ? 'The address has no certificate' : undefined;
  }
}
