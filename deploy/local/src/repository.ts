import { fileURLToPath } from 'node:url';

/** The repository that this launcher belongs to, with a slash at its end. */
export const repository = fileURLToPath(new URL('../../../', import.meta.url));
