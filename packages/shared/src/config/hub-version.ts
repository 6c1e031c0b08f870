import { readFileSync } from 'node:fs';

const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');

/** The version of the hub, which all its packages have. */
export const hubVersion = (JSON.parse(manifest) as { readonly version: string }).version;
