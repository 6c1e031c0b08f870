import { seedCatalogue } from '@birdhub/domain/species';
import { migrate } from '@birdhub/shared/db';

/** The program that brings a database up to date and prints, as JSON, what it applied or why it did not. */
const databaseUrl = process.env['DATABASE_URL'];
if (databaseUrl === undefined) throw new Error('DATABASE_URL is not set');

/** What the database or the way to it said, with a code; undefined for what went wrong here. */
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
