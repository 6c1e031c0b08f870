import { readFileSync } from 'node:fs';

const manifest = new URL('../../package.json', import.meta.url);

/** How the hub names itself to services outside. */
export function readUserAgent(): string {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return `Birdhub/${version} (self-hosted bird visit monitoring hub)`;
}
