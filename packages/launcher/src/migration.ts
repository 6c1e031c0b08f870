import { seedCatalogue } from '@birdhub/domain/species';
import { migrate } from '@birdhub/shared/db';

// This program migrates a database and prints the applied migrations or the error as JSON.
const databaseUrl = process.env['DATABASE_URL'];
if (databaseUrl === undefined) throw new Error('DATABASE_URL is not set');

/** Returns the message of an error of the database or its connection, recognised by its code; undefined for defects. */
function reasonOf(error: unknown): string | undefined {
  const { code, message } = error as { code?: unknown; message?: string };
  return typeof code === 'string' ? message || code : undefined;
}

try {
  process.stdout.write(JSON.stringify(await migrate(databaseUrl, seedCatalogue)));
} catch (error) {
  const reason = reasonOf(error);
  if (reason === undefined) throw error;
  process.stdout.write(JSON.stringify({ reason }));
}
