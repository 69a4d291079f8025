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

/** Reads `Prefer`. If a preference is repeated, the first counts. Unknown or malformed preferences are ignored. */
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
