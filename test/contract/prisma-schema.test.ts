import { readFileSync } from 'node:fs';
import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseShape } from './database-shape.js';
import { prismaShape, type TableShapes } from './prisma-models.js';

const schemaFile = new URL('../../packages/shared/prisma/schema.prisma', import.meta.url);
const declared = prismaShape(readFileSync(schemaFile, 'utf8'));
let database: TestDatabase;
let migrated: TableShapes;

beforeAll(async () => {
  database = await createTestDatabase();
  migrated = await databaseShape(database);
});
afterAll(() => database.drop());

describe('schema.prisma against the migrated database', () => {
  test('columns, by name, type, nullability and default, are the same', () => {
    expect(declared.columns.length).toBeGreaterThan(100);
    expect(declared.columns).toEqual(migrated.columns);
  });

  test('primary keys, in every table, are the same', () => {
    expect(declared.primaryKeys.length).toBeGreaterThan(20);
    expect(declared.primaryKeys).toEqual(migrated.primaryKeys);
  });

  test('indexes over plain columns, by name, columns and uniqueness, are the same', () => {
    expect(declared.indexes.length).toBeGreaterThan(10);
    expect(declared.indexes).toEqual(migrated.indexes);
  });

  test('a column only in the database, is reported', async () => {
    await database.pool.query('ALTER TABLE camera ADD COLUMN zoom integer NOT NULL DEFAULT 1');
    const { columns } = await databaseShape(database);
    expect(columns.filter((line) => !declared.columns.includes(line))).toEqual([
      'camera.zoom integer not null default',
    ]);
  });
});
