import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMain, orExit, root, runCommand } from './bootstrap/command.mjs';

/** Generates the database client, if the schema or Prisma changed. */
export function generateClient(log) {
  const shared = join(root, 'packages/shared');
  const record = join(shared, 'src/db/generated/.hash');
  const prisma = join(root, 'node_modules/prisma');
  const hash = createHash('sha256')
    .update(readFileSync(join(shared, 'prisma/schema.prisma')))
    .update(JSON.parse(readFileSync(join(prisma, 'package.json'), 'utf8')).version)
    .digest('hex');
  if (existsSync(record) && readFileSync(record, 'utf8') === hash) return;
  log('Generating the database client');
  runCommand(process.execPath, [join(prisma, 'build/index.js'), 'generate', '--no-hints'], {
    cwd: shared,
    // Otherwise Prisma downloads an engine that is not used.
    env: { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' },
  });
  writeFileSync(record, hash);
}

if (isMain(import.meta.url)) await orExit(() => generateClient(console.log));
