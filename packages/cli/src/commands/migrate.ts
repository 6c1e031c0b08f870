import type { Options } from '@birdhub/launcher/options';
import { runMigration } from '@birdhub/launcher/run-migration';
import { withDatabase } from './with-database.js';

/** Brings the database up to date and names what was applied. */
export async function migrateNow(options: Options): Promise<number> {
  await withDatabase(options, async (databaseUrl) => {
    const applied = await runMigration(databaseUrl);
    console.log(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}`);
  });
  return 0;
}
