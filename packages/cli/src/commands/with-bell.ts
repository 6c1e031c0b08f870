import { type Bell, createBell, type Database, openDatabase } from '@birdhub/shared/db';
import { createLog } from '@birdhub/shared/log';

/** What a command works with. */
export interface CommandDatabase {
  readonly database: Database;
  readonly pool: Database['pool'];
  /** Tells the services that run, if any, what was changed. */
  readonly bell: Bell;
  readonly log: ReturnType<typeof createLog>;
}

/** Works on a hub's database, and leaves when what it rang has been told. */
export async function withBell<T>(
  databaseUrl: string,
  work: (command: CommandDatabase) => Promise<T>,
): Promise<T> {
  const log = createLog('launcher', 'warn');
  const database = openDatabase({ url: databaseUrl, max: 4, name: 'launcher', log });
  const bell = createBell(database.pool, log);
  try {
    const result = await work({ database, pool: database.pool, bell, log });
    await bell.settled();
    return result;
  } finally {
    await database.close();
  }
}
