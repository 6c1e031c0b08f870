import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Database, openDatabase } from '@birdhub/shared/db';
import pg from 'pg';
import { pino } from 'pino';
import { inject } from 'vitest';
import type {} from './provided.js';

/** A migrated database for one test file. */
export interface TestDatabase extends Database {
  readonly url: string;
  /** Applies a migration again, given by its folder, to tables that the test has changed to their earlier structure. */
  applyMigration(folder: string): Promise<void>;
  /** Closes the connections and removes the database. */
  drop(): Promise<void>;
}

let admin: pg.Pool | undefined;

/** Executes a statement on a connection that all test files of this worker share. */
async function asAdmin(statement: string): Promise<void> {
  admin ??= new pg.Pool({ connectionString: inject('databaseUrl'), max: 1, allowExitOnIdle: true });
  await admin.query(statement);
}

/** Clones the migrated template of the test run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${inject('templateDatabase')} STRATEGY FILE_COPY`);
  const url = new URL(inject('databaseUrl'));
  url.pathname = `/${name}`;
  const database = openDatabase({ url: url.href, max: 16, name: 'test', log: pino({ level: 'silent' }) });
  const drop = async () => {
    await database.close();
    await asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  };
  const applyMigration = async (folder: string) => {
    const file = new URL(`../../shared/prisma/migrations/${folder}/migration.sql`, import.meta.url);
    await database.pool.query(await readFile(file, 'utf8'));
  };
  return { ...database, url: url.href, applyMigration, drop };
}
