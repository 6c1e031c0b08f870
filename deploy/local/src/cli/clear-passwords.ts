import { createBell, inTransaction, openDatabase } from '@birdhub/shared/db';
import { createLog } from '@birdhub/shared/log';

const clear = `UPDATE setting SET
    value = value #- '{general,settings_password}' #- '{general,contributor_password}',
    version = version + 1, updated_at = now()
  WHERE key = 'hub'`;

/** Removes the passwords and sessions from a hub's database and tells the running services, if any. */
export async function clearPasswords(databaseUrl: string): Promise<void> {
  const log = createLog('launcher', 'warn');
  const database = openDatabase({ url: databaseUrl, max: 1, name: 'launcher', log });
  try {
    await inTransaction(database.pool, async (client) => {
      await client.query(clear);
      const { rows } = await client.query<{ exists: boolean }>(
        `SELECT to_regclass('session') IS NOT NULL AS exists`,
      );
      if (rows[0]?.exists === true) await client.query('DELETE FROM session');
    });
    const bell = createBell(database.pool, log);
    bell.ring({ kind: 'settings' });
    await bell.settled();
  } finally {
    await database.close();
  }
}
