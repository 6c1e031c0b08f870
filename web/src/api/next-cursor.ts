/** Returns the cursor of the next page from a `Link` header (RFC 8288). */
export function nextCursor(link: string | null): string | undefined {
  const address = link?.match(/<([^>]*)>\s*;\s*rel="next"/)?.[1];
  if (address === undefined) return undefined;
  return new URLSearchParams(address.split('?')[1]).get('cursor') ?? undefined;
}
