import { type Connection, openConnection } from '@birdhub/shared/db';
import { explainDatabaseError } from './explain-failure.js';
import type { SequenceState } from './manifest.js';

/** Works on one connection to the hub's database; closing it also ends an open transaction. */
export async function withConnection<T>(
  url: string,
  name: string,
  work: (client: Connection) => Promise<T>,
): Promise<T> {
  try {
    const client = await openConnection({ url, name });
    return await work(client).finally(() => client.end());
  } catch (error) {
    throw explainDatabaseError(error);
  }
}

/** A table of the schema and its stored (not generated) columns in order. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

/** A foreign key with its definition as SQL; names are quoted. */
export interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/** Prisma's table of applied migrations, which a restore creates again. */
const ledger = '_prisma_migrations';

/** Returns what the schema contains: a hub, nothing, or something else. */
export async function recognise(client: Connection): Promise<'hub' | 'nothing' | 'something else'> {
  const { rows } = await client.query<{ is_hub: boolean; is_empty: boolean }>(
    `SELECT to_regclass($1) IS NOT NULL AS is_hub,
       NOT EXISTS (SELECT FROM pg_class WHERE relnamespace = current_schema()::regnamespace) AS is_empty`,
    [ledger],
  );
  if (rows[0]?.is_hub) return 'hub';
  return rows[0]?.is_empty ? 'nothing' : 'something else';
}

export async function listTables(client: Connection): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `SELECT relname AS name, json_agg(attname ORDER BY attnum) AS columns
     FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
     WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname <> $1
       AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
     GROUP BY relname ORDER BY relname`,
    [ledger],
  );
  return rows;
}

/** Lists the sequences that have been used. */
export async function listSequences(client: Connection): Promise<SequenceState[]> {
  const { rows } = await client.query<SequenceState>(
    `SELECT sequencename AS name, last_value::text AS last FROM pg_sequences
     WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY sequencename`,
  );
  return rows;
}

/** Advances sequences, never backwards. */
export async function advanceSequences(
  client: Connection,
  sequences: readonly SequenceState[],
): Promise<void> {
  await client.query(
    `SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, max(state.last::bigint))
     FROM json_to_recordset($1) AS state (name text, last text)
     JOIN pg_sequences ON schemaname = current_schema() AND sequencename = state.name
     GROUP BY schemaname, sequencename`,
    [JSON.stringify(sequences)],
  );
}

/** Locks the tables against changes of their structure and opens a snapshot until the transaction ends. */
export async function beginSnapshot(client: Connection, tables: readonly Table[]): Promise<void> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  // Locked before the snapshot is taken, so that no table is truncated in between.
  await client.query(`LOCK TABLE ${quoteAll(client, tables)} IN ACCESS SHARE MODE`);
}

/** Lists the names of the other connections of the hub's services and commands. */
export async function listOtherConnections(client: Connection): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT application_name AS name FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'birdhub-%'
     ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/**
 * Deletes all objects of the schema; waits up to 15 seconds for concurrent readers. The schema stays, with its privileges
 * and those of new objects, which other roles may need for reading.
 */
export async function clearSchema(client: Connection): Promise<void> {
  await client.query(`SET LOCAL lock_timeout = '15s'`);
  const { rows } = await client.query<{ type: string; identity: string }>(
    `SELECT CASE type WHEN 'composite type' THEN 'type' ELSE type END AS type, identity
     FROM pg_depend member, pg_identify_object(classid, objid, objsubid)
     WHERE refclassid = 'pg_namespace'::regclass AND refobjid = current_schema()::regnamespace
       AND type <> 'default acl'
       AND NOT EXISTS (
         SELECT FROM pg_depend WHERE (classid, objid, objsubid) = (member.classid, member.objid, member.objsubid)
           AND deptype IN ('i', 'e'))`,
  );
  const statements = rows.map(({ type, identity }) => `DROP ${type} IF EXISTS ${identity} CASCADE`);
  await client.query(statements.join(';'));
}

/** Truncates the tables and drops their foreign keys and triggers for fast loading; returns the foreign keys. */
export async function prepareLoad(client: Connection, tables: readonly Table[]): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`,
  );
  for (const { table, name } of rows) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  await setTriggers(client, tables, 'DISABLE');
  await client.query(`TRUNCATE ${quoteAll(client, tables)}`);
  return rows;
}

/** Restores what {@link prepareLoad} dropped. @throws when rows refer to missing rows */
export async function finishLoad(
  client: Connection,
  tables: readonly Table[],
  keys: readonly ForeignKey[],
): Promise<void> {
  for (const { table, name, definition } of keys) {
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
  }
  await setTriggers(client, tables, 'ENABLE');
}

/** Returns the COPY statement of a table with its columns in order. */
export function copyStatement(client: Connection, { name, columns }: Table, direction: 'in' | 'out'): string {
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  const target = direction === 'out' ? 'TO STDOUT' : 'FROM STDIN (FREEZE)';
  return `COPY ${client.escapeIdentifier(name)} (${list}) ${target}`;
}

/** Returns descriptions of the inconsistencies in the hub's data; empty when it is consistent. */
export async function listFaults(client: Connection): Promise<string[]> {
  const { rows } = await client.query<Record<string, boolean>>(
    `SELECT EXISTS (SELECT FROM detection) AND NOT EXISTS (SELECT FROM species_visit) AS "there are no visits",
       EXISTS (SELECT FROM species_visit) AND NOT EXISTS (SELECT FROM visit_day) AS "there are no totals by day",
       EXISTS (SELECT FROM species_visit) AND NOT EXISTS (SELECT FROM species_total) AS "species have no totals",
       NOT EXISTS (SELECT FROM visit_rule) AS "the rule of the visits is missing",
       NOT EXISTS (SELECT FROM setting WHERE key = 'hub') AS "the settings are missing"`,
  );
  return Object.entries(rows[0] ?? {}).flatMap(([fault, isPresent]) => (isPresent ? [fault] : []));
}

async function setTriggers(client: Connection, tables: readonly Table[], action: 'DISABLE' | 'ENABLE') {
  for (const { name } of tables) {
    await client.query(`ALTER TABLE ${client.escapeIdentifier(name)} ${action} TRIGGER USER`);
  }
}

function quoteAll(client: Connection, tables: readonly Table[]): string {
  return tables.map(({ name }) => client.escapeIdentifier(name)).join(', ');
}
