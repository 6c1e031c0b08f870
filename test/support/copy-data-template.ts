import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { copyFolder } from './data-template.js';

/** Copies the migrated database of the template to a data folder, unless the folder has one. */
export async function copyDataTemplate(dataDir: string): Promise<void> {
  if (!existsSync(join(dataDir, 'postgres'))) await copyFolder(inject('dataTemplate'), dataDir);
}
