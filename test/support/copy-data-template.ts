import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import type {} from './data-template.js';

/** Gives a data folder the migrated database of the template, unless it is there already. */
export async function copyDataTemplate(dataDir: string): Promise<void> {
  if (existsSync(join(dataDir, 'postgres'))) return;
  await mkdir(dataDir, { recursive: true, mode: 0o750 });
  // With its owners: PostgreSQL starts in no folder but its own.
  await promisify(execFile)('cp', ['-a', `${inject('dataTemplate')}/.`, dataDir]);
}
