import { normaliseSpeciesName, speciesKey } from '@birdhub/domain/species';
import { inTransaction, lockKeys } from '@birdhub/shared/db';
import type pg from 'pg';

const addSql = `
  WITH added AS (
    INSERT INTO species (id, name) SELECT $1, $2
    WHERE NOT EXISTS (SELECT FROM species_alias WHERE key = $3) AND NOT EXISTS (SELECT FROM species WHERE id = $1)
    RETURNING id)
  INSERT INTO species_alias (key, species_id) SELECT $3, id FROM added`;

/** Adds a species under an id, unless the id or the name is taken. */
export function addSpeciesAs(pool: pg.Pool, id: number, name: string): Promise<unknown> {
  return inTransaction(
    pool,
    (client) => client.query(addSql, [id, normaliseSpeciesName(name), speciesKey(name)]),
    `BEGIN; SELECT pg_advisory_xact_lock(${lockKeys.speciesNames})`,
  );
}
