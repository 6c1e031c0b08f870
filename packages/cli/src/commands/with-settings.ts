import { type CommandDatabase, withBell } from './with-bell.js';

/** Works on the settings in a hub's database, then tells the services that run, if any, to read them again. */
export function withSettings<T>(
  databaseUrl: string,
  work: (database: CommandDatabase['database'], bell: CommandDatabase['bell']) => Promise<T>,
): Promise<T> {
  return withBell(databaseUrl, async ({ database, bell }) => {
    const result = await work(database, bell);
    bell.ring({ kind: 'settings' });
    return result;
  });
}
