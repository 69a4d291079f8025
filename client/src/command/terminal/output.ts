import type { Writable } from 'node:stream';
import { Failure } from '../../../../common/failure.ts';

/** The reader of the output has closed its end of the pipe, as `head` does. */
export class ClosedOutput extends Error {}

const CLOSED: ReadonlySet<unknown> = new Set(['EPIPE', 'ERR_STREAM_DESTROYED', 'EIO']);

/** How much text is collected before it is written, in UTF-16 units. */
const CHUNK = 2 ** 16;

/**
 * Writes a text, and waits until the system has it.
 * @throws ClosedOutput if nobody reads it; Failure if it cannot be written, for example because the disk is full
 */
export async function write(stream: Writable, text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    stream.write(text, (error) => {
      if (error == null) resolve();
      else if ('code' in error && CLOSED.has(error.code)) reject(new ClosedOutput());
      else reject(new Failure(`The output is not complete: ${error.message}`));
    });
  });
}

/** Writes texts as they come, many at once. @throws as `write` */
export async function writeAll(
  stream: Writable,
  texts: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  let collected = '';
  for await (const text of texts) {
    collected += text;
    if (collected.length < CHUNK) continue;
    await write(stream, collected);
    collected = '';
  }
  if (collected !== '') await write(stream, collected);
}
