/** Returns a JSON object padded with white space to a length in bytes. */
export function padded(value: unknown, length: number): string {
  const text = JSON.stringify(value);
  return text.slice(0, -1) + ' '.repeat(length - text.length) + '}';
}

/** Returns a body that is sent in pieces, without a length. */
export function streamed(text: string, pieces = 7): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const size = Math.ceil(bytes.length / pieces);
  let sent = 0;
  return new ReadableStream({
    type: 'bytes',
    pull(controller) {
      if (sent >= bytes.length) {
        controller.close();
        return;
      }
      controller.enqueue(bytes.slice(sent, sent + size));
      sent += size;
    },
  });
}
