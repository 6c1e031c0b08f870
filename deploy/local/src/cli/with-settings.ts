import { type Bell, createBell, type Database, openDatabase } from '@birdhub/shared/db';
import { createLog } from '@birdhub/shared/log';

/** Works on the settings in a hub's database, then tells the services that run, if any, to read them again. */
export async function withSettings<T>(
  databaseUrl: string,
  work: (pool: Database['pool'], bell: Bell) => Promise<T>,
): Promise<T> {
  const log = createLog('launcher', 'warn');
  const database = openDatabase({ url: databaseUrl, max: 2, name: 'launcher', log });
  const bell = createBell(database.pool, log);
  try {
    const result = await work(database.pool, bell);
    bell.ring({ kind: 'settings' });
    await bell.settled();
    return result;
  } finally {
    await database.close();
  }
}
