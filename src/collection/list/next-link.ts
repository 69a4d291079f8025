/** Returns a `Link` to the next page (RFC 8288): the same URL with these parameters. */
export function nextLink(url: string, parameters: Readonly<Record<string, string>>): string {
  const next = new URL(url);
  for (const [name, value] of Object.entries(parameters)) next.searchParams.set(name, value);
  return `<${next.href}>; rel="next"`;
}
