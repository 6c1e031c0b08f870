import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { copyFolder } from './data-template.js';

/** Gives a data folder the migrated database of the template, unless it is there already. */
export async function copyDataTemplate(dataDir: string): Promise<void> {
  if (!existsSync(join(dataDir, 'postgres'))) await copyFolder(inject('dataTemplate'), dataDir);
}
