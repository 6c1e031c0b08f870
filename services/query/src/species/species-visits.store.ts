import type pg from 'pg';
import type { AnswerBudget } from '../answers/answer-budget.js';
import type { Place } from '../timeline/timeline-cursor.js';
import { itemColumns, timelineItemsSql } from '../timeline/timeline-items-sql.js';
import { readTimelinePage, type TimelinePage } from '../timeline/timeline-page.store.js';
import { requireSpecies } from './found-species.js';
import { kinSql } from './kin-sql.js';

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
  budget: AnswerBudget,
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
