import { lazy } from '../lazy.ts';

const table = lazy(() =>
  Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    return crc;
  }),
);

/**
 * CRC-32 of ISO 3309, as in zip and PNG.
 * @param text ASCII
 * @returns an unsigned 32-bit integer
 */
export function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) {
    crc = (crc >>> 8) ^ (table()[(crc ^ text.charCodeAt(i)) & 0xff] ?? 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
