/** Returns the SHA-256 of bytes, or of a text in UTF-8, as 64 lower-case hexadecimal digits. */
export async function sha256(data: string | ArrayBuffer): Promise<string> {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the CRC-32 of a text as eight hexadecimal digits. */
export function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

/** Returns the CRC-32 (ISO 3309) of a text in ASCII. Bit by bit: a table would save half a microsecond for an API key. */
export function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}
