const UNRESERVED = /[\w.~-]/;

/**
 * The path as Cloudflare hands it to a Worker, normalization of type "Cloudflare" with "Normalize incoming URLs" on
 * (https://developers.cloudflare.com/rules/normalization/how-it-works/). Adjacent slashes become one even where
 * normalization is off (https://developers.cloudflare.com/rules/normalization/).
 * @param path as it came, without the query
 */
export function normalizePath(path: string): string {
  const slashed = path.replaceAll('\\', '/').replaceAll(/\/+/g, '/');
  return removeDotSegments(normalizeEncoding(slashed));
}

/** Decodes unreserved characters, encodes literal bytes, and writes what stays encoded in upper case. */
function normalizeEncoding(path: string): string {
  return path.replaceAll(/%[\da-f]{2}|[^\w.~:/?#[\]@!$&'()*+,;=%-]/gi, (part) => {
    if (part.length === 1) return encode(part.charCodeAt(0));
    const code = Number.parseInt(part.slice(1), 16);
    const character = String.fromCharCode(code);
    return UNRESERVED.test(character) ? character : encode(code);
  });
}

function encode(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

/** RFC 3986, 5.2.4, for a path that begins with a slash. */
function removeDotSegments(path: string): string {
  const kept: string[] = [];
  const segments = path.split('/').slice(1);
  for (const [index, segment] of segments.entries()) {
    const isDots = segment === '.' || segment === '..';
    if (segment === '..') kept.pop();
    if (!isDots) kept.push(segment);
    else if (index === segments.length - 1) kept.push('');
  }
  return `/${kept.join('/')}`;
}
