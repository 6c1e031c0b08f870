import { HubError } from '@birdhub/shared/errors';
import type pg from 'pg';

/** @throws HubError species_not_found */
export async function requireSpecies(pool: pg.Pool, id: number): Promise<void> {
  const text = 'SELECT FROM species WHERE id = $1::bigint';
  const { rowCount } = await pool.query({ name: 'species-is-known', text, values: [id] });
  if (!rowCount) throw new HubError('species_not_found');
}
