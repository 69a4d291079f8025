/** A request as it went out. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly path: string;
  readonly search: URLSearchParams;
  readonly headers: Headers;
  readonly body: string;
  /** When it went out, in milliseconds. */
  readonly at: number;
}

/**
 * What happens to a request: its response gets lost after the service carried it out, it never reaches the service, nobody
 * ever answers, somebody else answers, or (`served`) nothing out of the ordinary.
 */
export type Fate =
  'served' | 'answer lost' | 'body lost' | 'never arrives' | 'hangs' | 'body hangs' | Response;

/** A `fetch` that keeps what went through it, and treats requests, in turn, as it is told. */
export class Wire {
  readonly sent: Sent[] = [];
  readonly received: Response[] = [];
  readonly #fates: Fate[];

  constructor(...fates: readonly Fate[]) {
    this.#fates = [...fates];
  }

  /** What happens to the requests that come next. */
  next(...fates: readonly Fate[]): void {
    this.#fates.push(...fates);
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    this.sent.push({
      method: request.method,
      url: request.url,
      path: url.pathname,
      search: url.searchParams,
      headers: new Headers(request.headers),
      body: await request.clone().text(),
      at: performance.now(),
    });
    const fate = this.#fates.shift() ?? 'served';
    if (fate === 'never arrives') throw new TypeError('fetch failed');
    if (fate === 'hangs') return new Promise(() => undefined);
    const response = fate instanceof Response ? fate : await fetch(request);
    if (fate === 'answer lost') {
      await response.text();
      throw new TypeError('fetch failed');
    }
    const answer = fate === 'body lost' ? await cutOff(response) : response;
    this.received.push(answer);
    return answer;
  };
}

/** The head of a response, and a body that breaks off. */
async function cutOff(response: Response): Promise<Response> {
  await response.text();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.error(new TypeError('terminated'));
    },
  });
  return new Response(body, response);
}
