import { within } from '../abort.ts';
import { BrandApiError, strange } from '../error.ts';
import { JsonBrackets } from '../json-brackets.ts';
import type { ClientResponse, Limits } from '../transport.ts';
import { declared, jsonIn } from '../json.ts';

/** How deep an element of the list is: in an object, in a list, in itself. */
const ELEMENT = 3;

/** The maximum size of an object, in UTF-16 units. Those of the service have less than half of it. */
const LARGEST_OBJECT = 2 ** 22;

/** The maximum depth of the text. That of the service has less than 10; `JSON.stringify` fails at some thousands. */
const DEEPEST = 100;

/**
 * Yields the objects of a list as its text arrives, so that a list of any length needs the memory of one.
 * @param answer its text is `{"<name>":[{…},{…}]}`
 * @param limits the time limit is for each object, however many pieces of it arrive meanwhile
 * @throws BrandApiError, without a status if the text ends early, or does not go on; the reason of a signal
 */
export async function* resourcesIn<T extends object>(
  answer: ClientResponse,
  name: string,
  limits: Limits,
): AsyncGenerator<T, void> {
  const complete = `{"${name}":[]}`;
  const notComplete = (): BrandApiError => strange(answer, `no complete list of ${name}`);
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  /** What is left of the text, from the beginning of the object that is being read. */
  let text = '';
  let at = 0;
  let start = 0;
  const brackets = new JsonBrackets();
  /** What is around the objects. */
  let frame = '';
  /** How long the next object has been awaited, in milliseconds, without the time that the caller takes. */
  let awaited = 0;
  let resumed = Date.now();
  for await (const piece of piecesOf(answer, limits)) {
    awaited += Date.now() - resumed;
    try {
      text += decoder.decode(piece, { stream: true });
    } catch {
      // A letter would be lost, and taken for one of the service's.
      throw new BrandApiError(`The list of ${name} is not in UTF-8.`, answer);
    }
    for (; at < text.length; at++) {
      const char = text.charAt(at);
      const before = brackets.depth;
      brackets.take(char);
      const { depth } = brackets;
      if (depth > DEEPEST) throw notComplete();
      const isBegun = before < ELEMENT && depth === ELEMENT;
      if (isBegun) start = at;
      if (before < ELEMENT && !(isBegun && char === '{') && !/[\s,]/.test(char)) frame += char;
      if (before === ELEMENT && depth < ELEMENT) {
        const element = jsonIn(text.slice(start, at + 1));
        if (element === undefined) throw notComplete();
        yield declared<T>(element);
        awaited = 0;
      }
    }
    const from = brackets.depth >= ELEMENT ? start : at;
    text = text.slice(from);
    at -= from;
    start = 0;
    if (!complete.startsWith(frame) || text.length > LARGEST_OBJECT) throw notComplete();
    if (awaited > limits.timeout)
      throw new BrandApiError(`The list of ${name} does not go on.`, {});
    resumed = Date.now();
  }
  if (frame !== complete) throw new BrandApiError(notComplete().message, {});
}

/** Yields the bytes of a response in pieces, as they arrive. The time limit is for each piece. */
async function* piecesOf(
  { stream }: ClientResponse,
  { timeout, signals }: Limits,
): AsyncGenerator<Uint8Array, void> {
  const reader = stream?.getReader();
  try {
    for (;;) {
      const piece = await within(async () => reader?.read(), timeout, signals);
      if (piece?.value === undefined) return;
      yield piece.value;
    }
  } catch (cause) {
    for (const signal of signals) signal.throwIfAborted();
    throw new BrandApiError('The response broke off.', { cause });
  } finally {
    // It may have failed already.
    reader?.cancel().catch(() => undefined);
  }
}
