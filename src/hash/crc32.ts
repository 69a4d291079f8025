/** Returns the CRC-32 of a text as eight hexadecimal digits. */
export function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

/**
 * CRC-32 of ISO 3309, as in zip and PNG. Bit by bit: a table would save half a microsecond for an API key.
 * @param text ASCII
 * @returns an unsigned 32-bit integer
 */
export function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}
