import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Database, openDatabase } from '@birdhub/shared/db';
import pg from 'pg';
import { pino } from 'pino';
import { inject } from 'vitest';
import type {} from './provided.js';

/** A migrated database of its own for one test file. */
export interface TestDatabase extends Database {
  readonly url: string;
  /** Runs one migration again, named by its folder, on tables that the test has brought into their earlier shape. */
  applyMigration(folder: string): Promise<void>;
  /** Closes the connections and removes the database. */
  drop(): Promise<void>;
}

async function asAdmin(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Clones the migrated template of the test run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const adminUrl = inject('databaseUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await asAdmin(
    adminUrl,
    `CREATE DATABASE ${name} TEMPLATE ${inject('templateDatabase')} STRATEGY FILE_COPY`,
  );
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const database = openDatabase({ url: url.href, max: 16, name: 'test', log: pino({ level: 'silent' }) });
  const drop = async () => {
    await database.close();
    await asAdmin(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  };
  const applyMigration = async (folder: string) => {
    const file = new URL(`../../shared/prisma/migrations/${folder}/migration.sql`, import.meta.url);
    await database.pool.query(await readFile(file, 'utf8'));
  };
  return { ...database, url: url.href, applyMigration, drop };
}
