/**
 * SHA-256 (FIPS 180-4).
 * @param data bytes, or a text, which is encoded as UTF-8
 * @returns 64 lower-case hexadecimal digits
 */
export async function sha256(data: string | ArrayBuffer): Promise<string> {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
  return hexadecimal(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}

/** The digits of each byte: every request needs those of its key's hash. */
const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Returns bytes as lower-case hexadecimal digits, two per byte. */
export function hexadecimal(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += DIGITS[byte] ?? '';
  return text;
}
