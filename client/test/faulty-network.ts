/** A request that was sent. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly path: string;
  readonly search: URLSearchParams;
  readonly headers: Headers;
  readonly body: string;
  /** The time of sending, in milliseconds. */
  readonly at: number;
}

/**
 * What happens to a request: its response is lost after it took effect, it never reaches the service, it gets no
 * response, it gets this response instead, or (`served`) it succeeds.
 */
export type Delivery =
  'served' | 'answer lost' | 'body lost' | 'never arrives' | 'hangs' | Response;

/** A `fetch` that records requests and responses, and applies the given deliveries to requests in order. */
export class FaultyNetwork {
  readonly sent: Sent[] = [];
  readonly received: Response[] = [];
  readonly #deliveries: Delivery[];

  constructor(...deliveries: readonly Delivery[]) {
    this.#deliveries = [...deliveries];
  }

  /** Sets what happens to the next requests. */
  next(...deliveries: readonly Delivery[]): void {
    this.#deliveries.push(...deliveries);
  }

  /** Forgets what was to happen to the next requests. */
  forget(): void {
    this.#deliveries.length = 0;
  }

  /** Answers requests in place of the service, by their URL and body; undefined if the service does. */
  respond: (url: URL, body: string) => Response | undefined = () => undefined;

  /** Runs after each request that the service has answered, before its answer arrives. */
  after: (request: Sent) => Promise<void> = () => Promise.resolve();

  /** Changes what the service has answered. */
  alter: (response: Response) => Response = (response) => response;

  readonly fetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const body = await request.clone().text();
    const sent = {
      method: request.method,
      url: request.url,
      path: url.pathname,
      search: url.searchParams,
      headers: new Headers(request.headers),
      body,
      at: performance.now(),
    };
    this.sent.push(sent);
    const delivery = this.#deliveries.shift() ?? this.respond(url, body) ?? 'served';
    if (delivery === 'never arrives') throw new TypeError('fetch failed');
    if (delivery === 'hangs') return new Promise(() => undefined);
    const response = delivery instanceof Response ? delivery : this.alter(await fetch(request));
    await this.after(sent);
    if (delivery === 'answer lost') {
      await response.text();
      throw new TypeError('fetch failed');
    }
    const answer = delivery === 'body lost' ? await cutOff(response) : response;
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
