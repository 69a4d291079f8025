/** Which of the preferences that this service knows a request states (RFC 7240). */
export interface Preferences {
  /** `return=minimal`: leave the resources out of the answer. */
  readonly minimal: boolean;
  /** `handling=lenient`: do what can be done, and report the rest. */
  readonly lenient: boolean;
  /** What `Preference-Applied` says; undefined if no known preference was stated. */
  readonly applied: string | undefined;
}

const KNOWN = ['return=minimal', 'return=representation', 'handling=lenient', 'handling=strict'];

/** The elements of a list, each with the texts in quotes that it holds. A text without an end holds all that follows. */
const ELEMENTS = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g;

/** A preference and its value, in quotes or not; parameters may follow. No part can match the white space of another. */
const PREFERENCE = /^([\w-]+)(?:\s*=\s*(?:([\w-]+)|"([^"]*)"))?\s*(?:;|$)/;

/** Reads `Prefer`. Of a preference that is stated twice the first counts, and what is unknown or malformed is ignored. */
export function readPreferences(headers: Headers): Preferences {
  const stated = new Map<string, string>();
  for (const [element] of (headers.get('Prefer') ?? '').toLowerCase().matchAll(ELEMENTS)) {
    const [, name, token, text] = PREFERENCE.exec(element.trim()) ?? [];
    if (name !== undefined && !stated.has(name)) stated.set(name, `${name}=${token ?? text ?? ''}`);
  }
  const known = [...stated.values()].filter((preference) => KNOWN.includes(preference));
  return {
    minimal: known.includes('return=minimal'),
    lenient: known.includes('handling=lenient'),
    applied: known.length === 0 ? undefined : known.join(', '),
  };
}
