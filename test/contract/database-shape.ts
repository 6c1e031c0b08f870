import type { TestDatabase } from '@birdhub/testing';
import type { TableShapes } from './prisma-models.js';

const columnsSql = `
  SELECT c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
    || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
    || CASE WHEN a.atthasdef OR a.attidentity <> '' THEN ' default' ELSE '' END AS line
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
    AND a.attnum > 0 AND NOT a.attisdropped AND c.relname NOT LIKE '\\_prisma%'`;

/** Indexes without expressions and conditions, as a Prisma schema cannot declare others. */
const indexesSql = (isPrimary: boolean) => `
  SELECT t.relname || ' ' || CASE WHEN ${isPrimary} THEN '' ELSE c.relname || ' ' END
    || CASE WHEN i.indisunique AND NOT ${isPrimary} THEN 'unique ' ELSE '' END || '('
    || (SELECT string_agg(a.attname, ', ' ORDER BY k.position)
        FROM unnest(i.indkey) WITH ORDINALITY k (attnum, position)
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum
        WHERE k.position <= i.indnkeyatts) || ')' AS line
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
  WHERE t.relnamespace = 'public'::regnamespace AND i.indisprimary = ${isPrimary}
    AND i.indpred IS NULL AND i.indexprs IS NULL AND t.relname NOT LIKE '\\_prisma%'`;

/** Reads the tables of a migrated database. */
export async function databaseShape({ pool }: TestDatabase): Promise<TableShapes> {
  const lines = async (sql: string) => {
    const { rows } = await pool.query<{ line: string }>(sql);
    return rows.map(({ line }) => line).sort();
  };
  return {
    columns: await lines(columnsSql),
    primaryKeys: await lines(indexesSql(true)),
    indexes: await lines(indexesSql(false)),
  };
}
