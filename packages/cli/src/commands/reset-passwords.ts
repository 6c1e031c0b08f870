import { type Options, secretsConfigOf } from '@birdhub/launcher/options';
import { withDatabase } from './with-database.js';

/** Clears both passwords, so that everybody is admin again, and ends all sessions. */
export async function resetPasswords(options: Options): Promise<number> {
  // Loaded only here: the database client is most of what the other commands would wait for.
  const { clearPasswords } = await import('./clear-passwords.js');
  await withDatabase(options, (databaseUrl) => clearPasswords(databaseUrl, secretsConfigOf(options)));
  console.log(
    'Both passwords are cleared and all sessions are ended: everybody is admin until you set new ones.',
  );
  return 0;
}
