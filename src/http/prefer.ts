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

/** Reads `Prefer`. Of a preference that is stated twice the first counts, and what is unknown or malformed is ignored. */
export function readPreferences(headers: Headers): Preferences {
  const stated = new Map<string, string>();
  for (const part of (headers.get('Prefer') ?? '').split(',')) {
    const [preference = ''] = part.split(';');
    const [name = '', value = ''] = preference.split('=').map((text) => text.trim().toLowerCase());
    const text = `${name}=${value.replace(/^"(.*)"$/, '$1')}`;
    if (KNOWN.includes(text) && !stated.has(name)) stated.set(name, text);
  }
  return {
    minimal: stated.get('return') === 'return=minimal',
    lenient: stated.get('handling') === 'handling=lenient',
    applied: stated.size === 0 ? undefined : [...stated.values()].join(', '),
  };
}
