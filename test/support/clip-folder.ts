import { fileURLToPath } from 'node:url';

/** Clips of the demo are the same in every run, so they are made once for all of them. */
export const clipFolder = fileURLToPath(new URL('../../node_modules/.cache/birdhub-clips', import.meta.url));
