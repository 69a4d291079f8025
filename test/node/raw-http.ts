import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A response as received. */
export interface RawAnswer {
  readonly status: number;
  /** The headers, by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** What to send: bytes, a pause in milliseconds, or the end. */
export type Part = string | number | typeof END;

/** The end of the client's side. */
export const END = Symbol('end');

/** How long to wait for responses, in milliseconds. */
const PATIENCE = 8000;

/**
 * Sends bytes over one connection.
 * @param expected the number of responses to wait for
 * @returns the responses until the expected number, the end of the connection, or the time limit
 */
export async function sendRaw(
  port: number,
  parts: readonly Part[],
  expected: number,
): Promise<readonly RawAnswer[]> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  const enough = new Promise<void>((resolve) => {
    socket.setEncoding('latin1').on('data', (data: string) => {
      received += data;
      if (parse(received).length >= expected) resolve();
    });
    // A server that rejected the request may reset the connection.
    for (const event of ['error', 'end', 'close']) socket.on(event, resolve);
  });
  const writing = (async () => {
    for (const part of parts) {
      if (socket.destroyed || !socket.writable) return;
      if (typeof part === 'number') await wait(part);
      else if (part === END) socket.end();
      else await new Promise((resolve) => socket.write(part, 'latin1', resolve));
    }
  })();
  await Promise.race([enough, wait(PATIENCE)]);
  socket.destroy();
  await writing;
  return parse(received);
}

/** Returns the complete responses in the received bytes. */
function parse(received: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = received;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return answers;
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
      }),
    );
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]);
    const length = Number(headers.get('content-length') ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    if (body.length < length) return answers;
    if (status !== 100) answers.push({ status, headers, body });
    rest = rest.slice(end + 4 + length);
  }
}
