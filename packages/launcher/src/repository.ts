import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository that this launcher belongs to, with a slash at its end. */
export const repository = fileURLToPath(new URL('../../../', import.meta.url));

/** The version of the hub. */
export function hubVersion(): string {
  return readFileSync(join(repository, 'VERSION'), 'utf8').trim();
}
