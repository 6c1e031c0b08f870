import { fileURLToPath } from 'node:url';

/** The folder for the clips of the demo, which all runs share because the clips are always the same. */
export const clipFolder = fileURLToPath(new URL('../../node_modules/.cache/birdhub-clips', import.meta.url));
