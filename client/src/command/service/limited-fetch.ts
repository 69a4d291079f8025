import { COLLECTION_NAMES } from '../../stores/fields.ts';

/** The maximum size of a response, in bytes. The service's own have less than half of it. */
const LARGEST = 2 ** 25;

/**
 * Returns a `fetch` whose responses fail once they are too large to be of the service. Only the complete list has no limit:
 * it is read object by object, and each has its own.
 */
export function limitedFetch(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    const { body, status, headers } = response;
    if (body === null || isCompleteList(new URL(input instanceof Request ? input.url : input))) {
      return response;
    }
    let size = 0;
    const limit = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        size += piece.byteLength;
        if (size > LARGEST) controller.error(new Error('The response is too large.'));
        else controller.enqueue(piece);
      },
    });
    return new Response(body.pipeThrough(limit), { status, headers });
  };
}

function isCompleteList({ pathname, search }: URL): boolean {
  return search === '' && COLLECTION_NAMES.some((name) => pathname.endsWith(`/${name}`));
}
