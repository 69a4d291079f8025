import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** A request to send. */
export interface Call {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly apiKey: string;
  readonly body?: unknown;
  /** Beside those that every request has. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** What came back where the body was counted and thrown away. */
export interface Counted {
  readonly status: number;
  readonly bytes: number;
  /** The last bytes of the body as text. */
  readonly end: string;
  /** Milliseconds from the request to the first and to the last byte of the body. */
  readonly firstByte: number;
  readonly lastByte: number;
}

/** A client of one service that keeps its connections. */
export class Client {
  readonly #port: number;
  readonly #agent: Agent;

  constructor(port: number, connections: number) {
    this.#port = port;
    // A connection that idles is let go before the server ends it: a request may be on its way just then.
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, timeout: 1000 });
  }

  /** Sends a request; rejects where no whole answer comes. */
  async send(call: Call): Promise<Answer> {
    const response = await this.#request(call);
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      text: await text(response),
    };
  }

  /** Sends a request and reads the answer without keeping it, however long it is; rejects where no whole one comes. */
  async count(call: Call): Promise<Counted> {
    const start = performance.now();
    const response = await this.#request(call);
    let [bytes, firstByte, end] = [0, 0, ''];
    for await (const chunk of response) {
      if (!(chunk instanceof Uint8Array)) continue;
      if (bytes === 0) firstByte = performance.now() - start;
      bytes += chunk.byteLength;
      end = new TextDecoder().decode(chunk.subarray(-2));
    }
    const lastByte = performance.now() - start;
    return { status: response.statusCode ?? 0, bytes, end, firstByte, lastByte };
  }

  #request({ method, path, apiKey, body, headers }: Call): Promise<IncomingMessage> {
    const payload = body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body));
    const all = {
      Authorization: `Bearer ${apiKey}`,
      ...(payload && {
        'Content-Type': 'application/json',
        'Content-Length': payload.byteLength,
      }),
      ...headers,
    };
    const address = { host: '127.0.0.1', port: this.#port, agent: this.#agent };
    return new Promise((resolve, reject) => {
      request({ ...address, method, path, headers: all }, resolve)
        .on('error', reject)
        .end(payload);
    });
  }

  /** Ends its connections. Further requests make new ones. */
  close(): void {
    this.#agent.destroy();
  }
}

/**
 * Sends requests in a closed loop: each connection sends the next one when it has the answer to the last.
 * @param call makes the request of this number
 * @returns how long each took, in milliseconds
 * @throws where an answer is not a success
 */
export async function closedLoop(
  client: Client,
  { requests, connections }: { readonly requests: number; readonly connections: number },
  call: (number: number) => Call,
): Promise<number[]> {
  const took: number[] = [];
  let sent = 0;
  const connection = async (): Promise<void> => {
    while (sent < requests) {
      const next = call(sent++);
      const start = performance.now();
      const answer = await client.send(next);
      took.push(performance.now() - start);
      if (answer.status >= 300) {
        throw new Error(`${next.method} ${next.path}: ${answer.status} ${answer.text}`);
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return took;
}
