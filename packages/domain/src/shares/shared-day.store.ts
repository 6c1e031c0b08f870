import type { TimeWindow } from '@birdhub/shared/time';
import type pg from 'pg';
import { countedSql } from '../species/index.js';

/** A species of a shared day. */
export interface SharedDaySpecies {
  readonly id: number;
  readonly name: string;
  readonly scientificName: string | null;
  readonly visits: number;
  /** Whether it was only heard, not seen. */
  readonly isHeardOnly: boolean;
}

/** The content of a shared day. */
export interface SharedDay {
  readonly visits: number;
  /** Most visits first. */
  readonly species: readonly SharedDaySpecies[];
}

const daySql = `
  SELECT species_id AS id, name, scientific_name AS "scientificName", count(*)::int AS visits,
    bool_and(NOT EXISTS (SELECT FROM detection WHERE visit_id = visit.id AND source = 'video')) AS "isHeardOnly"
  FROM species_visit visit JOIN species ON species.id = species_id
  WHERE start_time >= $1 AND start_time < $2 AND ${countedSql()}
  GROUP BY species_id, name, scientific_name ORDER BY count(*) DESC, name COLLATE "C", species_id`;

/** Reads the species and visits of a day; generic species and other animals are excluded, as in statistics. */
export async function readSharedDay(
  pool: pg.Pool | pg.ClientBase,
  { start, end }: TimeWindow,
): Promise<SharedDay> {
  const values = [new Date(start), new Date(end)];
  const { rows } = await pool.query<SharedDaySpecies>({ name: 'shared-day', text: daySql, values });
  return { visits: rows.reduce((sum, { visits }) => sum + visits, 0), species: rows };
}
