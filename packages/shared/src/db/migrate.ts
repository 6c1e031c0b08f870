import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { seedCatalogue } from '../species/seed.js';

const migrationsFolder = new URL('../../prisma/migrations/', import.meta.url);
const migrationLock = 7_201_001;

/** The table that `prisma migrate deploy` keeps, so that either tool may apply the rest. */
const createLedger = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz,
  migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz,
  started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0)`;

async function listMigrations(): Promise<string[]> {
  const entries = await readdir(migrationsFolder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

async function apply(client: pg.Client, name: string): Promise<void> {
  const sql = await readFile(new URL(`${name}/migration.sql`, migrationsFolder), 'utf8');
  const checksum = createHash('sha256').update(sql).digest('hex');
  await client.query('BEGIN');
  try {
    await client.query(sql);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), 1)`,
      [randomUUID(), checksum, name],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Error(`migration ${name} failed`, { cause: error });
  }
}

async function applyMissing(client: pg.Client): Promise<string[]> {
  await client.query(createLedger);
  const done = await client.query<{ migration_name: string }>(
    'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  const known = new Set(done.rows.map((row) => row.migration_name));
  const missing = (await listMigrations()).filter((name) => !known.has(name));
  for (const name of missing) await apply(client, name);
  return missing;
}

/**
 * Brings a database up to date: the migrations that are missing, each in a transaction, then the species
 * catalogue. Several at once wait for each other. Answers the names of what was applied.
 */
export async function migrate(databaseUrl: string): Promise<{ applied: string[] }> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'birdhub-migrate' });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    const applied = await applyMissing(client);
    await seedCatalogue(client);
    return { applied };
  } finally {
    await client.end();
  }
}
