import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { lockKeys } from './locks.js';

const migrationsFolder = new URL('../../prisma/migrations/', import.meta.url);

/** The table of `prisma migrate deploy`, so that both tools can be used. */
const createLedger = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz,
  migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz,
  started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0)`;

/** Returns the names of the migrations of this version, oldest first. */
export async function listMigrations(): Promise<string[]> {
  const entries = await readdir(migrationsFolder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** Returns the names of the applied migrations of a database, oldest first. */
export async function listApplied(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  );
  return rows.map(({ name }) => name);
}

async function findMissing(client: pg.ClientBase): Promise<string[]> {
  await client.query(createLedger);
  const known = new Set(await listApplied(client));
  return (await listMigrations()).filter((name) => !known.has(name));
}

async function apply(client: pg.ClientBase, name: string): Promise<void> {
  const sql = await readFile(new URL(`${name}/migration.sql`, migrationsFolder), 'utf8');
  const checksum = createHash('sha256').update(sql).digest('hex');
  try {
    await client.query(sql);
  } catch (cause) {
    throw new Error(`migration ${name} failed`, { cause });
  }
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, now(), 1)`,
    [randomUUID(), checksum, name],
  );
}

async function applyInTransaction(client: pg.ClientBase, name: string): Promise<void> {
  await client.query('BEGIN');
  try {
    await apply(client, name);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/**
 * Applies the missing migrations, or those of them in `only`, in the caller's transaction. Concurrent migrations wait
 * until it ends. Returns the names of the applied migrations.
 */
export async function migrateWithin(client: pg.ClientBase, only?: readonly string[]): Promise<string[]> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [lockKeys.migration]);
  const missing = await findMissing(client);
  const wanted = missing.filter((name) => only?.includes(name) ?? true);
  for (const name of wanted) await apply(client, name);
  return wanted;
}

/** Inserts the rows that every database must have. */
export type Seed = (client: pg.ClientBase) => Promise<void>;

/**
 * Migrates a database: applies the missing migrations, each in a transaction, then the seed. Concurrent calls wait for
 * each other. Returns the names of the applied migrations.
 */
export async function migrate(databaseUrl: string, seed: Seed): Promise<{ applied: string[] }> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'birdhub-migrate' });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [lockKeys.migration]);
    const applied = await findMissing(client);
    for (const name of applied) await applyInTransaction(client, name);
    await seed(client);
    return { applied };
  } finally {
    await client.end();
  }
}
