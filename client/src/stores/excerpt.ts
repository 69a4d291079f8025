import { shortened } from '../../../common/terminal/printable.ts';

/** The shortest part of a secret that is hidden. Shorter ones occur in words. */
const PART = 8;

/** How much of a text is looked at. */
const LOOKED_AT = 10_000;

/**
 * Returns the beginning of a text that came from elsewhere, on one line and without secrets, which are hidden before it is cut.
 * @param longest in UTF-16 units
 */
export function excerpt(text: string, longest: number, secrets: readonly string[]): string {
  const line = text.slice(0, LOOKED_AT).replace(/\s+/g, ' ').trim();
  return shortened(withoutParts(line, secrets), longest);
}

/** Returns a text without secrets, as they are and as they are written in an address, and without parts of them: who sends one back may have cut it. */
export function withoutParts(text: string, secrets: readonly string[]): string {
  const parts = new Set<string>();
  for (const secret of secrets.flatMap((one) => [one, encodeURIComponent(one.toWellFormed())])) {
    for (let at = 0; at + PART <= secret.length; at++) parts.add(secret.slice(at, at + PART));
  }
  let shown = '';
  let hiddenTo = 0;
  for (let at = 0; at < text.length; at++) {
    if (parts.has(text.slice(at, at + PART))) {
      if (at >= hiddenTo) shown += '…';
      hiddenTo = at + PART;
    }
    if (at >= hiddenTo) shown += text.charAt(at);
  }
  return shown;
}
