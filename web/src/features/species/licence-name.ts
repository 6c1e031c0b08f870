/** The short name of a Creative Commons licence by its address, such as `CC BY-NC-SA 4.0`; undefined for others. */
export function licenceName(address: string): string | undefined {
  const [, kind, version] = address.match(/creativecommons\.org\/licenses\/([a-z-]+)\/([\d.]+)/i) ?? [];
  if (kind && version) return `CC ${kind.toUpperCase()} ${version}`;
  return /creativecommons\.org\/publicdomain\/zero/i.test(address) ? 'CC0' : undefined;
}
