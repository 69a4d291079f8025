const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

// The newest id's time in milliseconds, and its counter.
let time = 0;
let counter = 0;

/**
 * Generates an id: a UUIDv7 (RFC 9562, 5.7), higher than all earlier ones of this isolate, so that ids sort by time of
 * creation. The counter of ids within a millisecond is in `rand_a` and starts below half (6.2, method 1); if it
 * overflows, the time of the id is ahead of the clock. A library would be half a kilobyte more.
 */
export function newId(): string {
  const now = Date.now();
  const random = crypto.randomUUID();
  if (now > time) {
    time = now;
    counter = parseInt(random.slice(0, 3), 16) >> 1;
  } else if (++counter > 0xfff) {
    time++;
    counter = 0;
  }
  const digits = hexDigits(time, 12);
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7${hexDigits(counter, 3)}${random.slice(18)}`;
}

function hexDigits(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0');
}

/** Whether a text can be the id of a resource: a lower-case UUID. */
export function isId(text: string): boolean {
  return UUID.test(text);
}
