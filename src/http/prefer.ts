/** The preferences of a request that this service supports (RFC 7240). */
export interface Preferences {
  /** `return=minimal`: omit the resources from the response. */
  readonly minimal: boolean;
  /** `handling=lenient`: write the accepted items and report the others. */
  readonly lenient: boolean;
  /** The value of `Preference-Applied`; undefined if no supported preference was given. */
  readonly applied: string | undefined;
}

const KNOWN = ['return=minimal', 'return=representation', 'handling=lenient', 'handling=strict'];

/** The elements of a list, each with the texts in quotes that it holds. A text without an end holds all that follows. */
const ELEMENTS = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g;

/** A preference and its value, in quotes or not; parameters may follow. No part can match the white space of another. */
const PREFERENCE = /^(return|handling)(?:\s*=\s*(?:([\w-]+)|"([^"]*)"))?\s*(?:;|$)/;

/** Reads `Prefer`. If a preference is repeated, the first counts. Unknown or malformed preferences are ignored. */
export function readPreferences(headers: Headers): Preferences {
  const stated: Record<string, string> = {};
  for (const [element] of (headers.get('Prefer') ?? '').toLowerCase().matchAll(ELEMENTS)) {
    const [, name, token, text] = PREFERENCE.exec(element.trim()) ?? [];
    if (name !== undefined) stated[name] ??= `${name}=${token ?? text ?? ''}`;
  }
  const known = Object.values(stated).filter((preference) => KNOWN.includes(preference));
  return {
    minimal: known.includes('return=minimal'),
    lenient: known.includes('handling=lenient'),
    applied: known.join(', ') || undefined,
  };
}
