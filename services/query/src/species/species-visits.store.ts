import { currentSpeciesSql } from '@birdhub/domain/species';
import { HubError } from '@birdhub/shared/errors';
import type pg from 'pg';
import type { ResponseBudget } from '../response-cache/response-budget.js';
import type { Place } from '../timeline/timeline-cursor.js';
import {
  itemColumns,
  readTimelinePage,
  type TimelinePage,
  timelineItemsSql,
} from '../timeline/timeline-page.store.js';

/**
 * SQL for a species and all below it that had visits, one row each: `id`, and `branch`, the child of the species that it
 * belongs to, null for the species itself. `species` is the parameter that names it.
 */
export const kinSql = (species: string): string => `
  WITH RECURSIVE kin (id, branch) AS (
    SELECT id, NULL::integer FROM species WHERE id = ${currentSpeciesSql(species)}
    UNION
    SELECT species.id, coalesce(branch, species.id) FROM kin JOIN species ON parent_id = kin.id
  )
  SELECT id, branch FROM kin WHERE id IN (SELECT species_id FROM species_total)`;

/** Which visits of a species and all below it. */
export interface SpeciesVisitsSearch {
  readonly speciesId: number;
  readonly limit: number;
  /** The last item of the page before. */
  readonly after: Place | undefined;
}

/**
 * Parameters: species, place of the last item before (start, id; or nulls), limit, most bytes. Of each species no more than a page
 * is read. Visits of one species never start together, so one index has them in order.
 */
export const speciesVisitsSql = timelineItemsSql(
  `
    SELECT visit.* FROM (${kinSql('$1')}) kin CROSS JOIN LATERAL (
      SELECT ${itemColumns} FROM species_visit
      WHERE species_id = kin.id AND start_time <= coalesce($2::timestamptz, 'infinity')
        AND ($2::timestamptz IS NULL OR (start_time, id) < ($2, $3::bigint))
      ORDER BY start_time DESC LIMIT $4::integer + 1
    ) visit`,
  '$4',
  '$5',
);

/**
 * Reads a page of visits, newest first, with one statement, and a second when there are none.
 * @throws HubError species_not_found, busy
 */
export async function readSpeciesVisits(
  pool: pg.Pool,
  { speciesId, limit, after }: SpeciesVisitsSearch,
  budget: ResponseBudget,
): Promise<TimelinePage> {
  const place = after ? [new Date(after.start), after.id] : [null, null];
  const statement = { name: 'species-visits', text: speciesVisitsSql };
  const valuesFor = (maxBytes: number) => [speciesId, ...place, limit, maxBytes];
  const page = await readTimelinePage(
    pool,
    (maxBytes) => ({ ...statement, values: valuesFor(maxBytes) }),
    budget,
  );
  if (!page.span) await requireSpecies(pool, speciesId);
  return page;
}

/** @throws HubError species_not_found */
async function requireSpecies(pool: pg.Pool, id: number): Promise<void> {
  const text = 'SELECT FROM species WHERE id = $1::bigint';
  const { rowCount } = await pool.query({ name: 'species-is-known', text, values: [id] });
  if (!rowCount) throw new HubError('species_not_found');
}
