import { COLLECTION_NAMES } from '../../stores/fields.ts';

/** The maximum size of a response, in bytes. The service's own have less than half of it. */
const LARGEST = 2 ** 25;

/** The maximum depth of a response. The service's own have less than 10; at some thousands the stack overflows. */
const DEEPEST = 100;

/**
 * Returns a `fetch` whose responses fail once they are too large or too deep to be of the service. Only the complete list
 * has no limit: it is read object by object, and each has its own.
 */
export function limitedFetch(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    const { body, status, headers } = response;
    if (body === null || isCompleteList(new URL(input instanceof Request ? input.url : input))) {
      return response;
    }
    const depth = new Depth();
    let size = 0;
    const limit = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        size += piece.byteLength;
        if (size > LARGEST) controller.error(new Error('The response is too large.'));
        else if (depth.after(piece) > DEEPEST) {
          controller.error(new Error('The response is nested too deep.'));
        } else controller.enqueue(piece);
      },
    });
    return new Response(body.pipeThrough(limit), { status, headers });
  };
}

function isCompleteList({ pathname, search }: URL): boolean {
  return search === '' && COLLECTION_NAMES.some((name) => pathname.endsWith(`/${name}`));
}

const [QUOTE, BACKSLASH, ...BRACKETS] = new TextEncoder().encode('"\\[{]}');

/** Counts how deep a text of JSON is, which arrives in pieces. */
class Depth {
  #now = 0;
  #deepest = 0;
  #isQuoted = false;
  #isEscaped = false;

  /** Returns the maximum depth so far. */
  after(piece: Uint8Array): number {
    const [list, object, endOfList, endOfObject] = BRACKETS;
    for (const byte of piece) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#isQuoted && byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.#isQuoted = !this.#isQuoted;
      else if (this.#isQuoted) continue;
      else if (byte === list || byte === object)
        this.#deepest = Math.max(this.#deepest, ++this.#now);
      else if (byte === endOfList || byte === endOfObject) this.#now--;
    }
    return this.#deepest;
  }
}
