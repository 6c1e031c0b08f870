import type pg from 'pg';

/** A visit as its attributes show it. */
export interface LastVisit {
  readonly name: string;
  readonly scientific_name: string | null;
  readonly id: number;
  readonly species_id: number;
  readonly start_time: string;
  readonly end_time: string;
  /** The most birds at once. */
  readonly count: number;
}

/** What was seen on a day, and the newest visit of all days; generic species left out. */
export interface BirdsToday {
  readonly visits: number;
  readonly species: number;
  readonly lastVisit: LastVisit | null;
}

const text = `
  SELECT coalesce(sum(visits), 0) AS visits, count(*) FILTER (WHERE visits > 0) AS species, (
    SELECT json_build_object('name', name, 'scientific_name', scientific_name, 'id', visit.id,
      'species_id', species_id, 'start_time', start_time, 'end_time', end_time, 'count', max_simultaneous)
    FROM species_visit visit JOIN species ON species.id = species_id
    WHERE NOT generic ORDER BY start_time DESC, visit.id DESC LIMIT 1) AS "lastVisit"
  FROM visit_day JOIN species ON species.id = species_id WHERE day = $1 AND NOT generic`;

/** Reads the rollup of a calendar day of the hub's zone. */
export async function readBirdsToday(pool: pg.Pool, day: string): Promise<BirdsToday> {
  const { rows } = await pool.query<BirdsToday>({ name: 'birds-today', text, values: [day] });
  return rows[0] ?? { visits: 0, species: 0, lastVisit: null };
}
