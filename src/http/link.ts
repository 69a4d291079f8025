/** A `Link` to the next page (RFC 8288): the same request with this cursor. */
export function nextLink(url: string, cursor: string): string {
  const next = new URL(url);
  next.searchParams.set('cursor', cursor);
  return `<${next.href}>; rel="next"`;
}
