import { currentSpeciesSql, thumbhashOfOwnPicture } from '@birdhub/domain/species';
import { HubError } from '@birdhub/shared/errors';
import { localHourSql, type ZoneClock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { ResponseBudget } from '../response-cache/response-budget.js';
import type { DescriptionLanguage } from '../species-knowledge/description-language.js';
import {
  itemColumns,
  readTimelinePage,
  type TimelinePage,
  timelineItemsSql,
} from '../timeline/timeline.store.js';
import type { Place } from '../timeline/timeline-cursor.js';
import { newestVisits, type Species } from './species.schema.js';

/** Months of the year 0 are sums over all years. */
const evidenceSql = `
  SELECT species_id, sum(video_visits) AS seen FROM visit_month WHERE year = 0 GROUP BY species_id`;

const none = { columns: '', from: '' };

/** SQL: first and last visit of a species, from indexes and rollups, and the placeholder of its picture. */
const presence = {
  columns: `, first_visit_at, last_visit_at, monthly_visits, ${thumbhashOfOwnPicture('image_url')} AS thumbhash`,
  from: `
    CROSS JOIN LATERAL (
      SELECT min(start_time) AS first_visit_at, max(start_time) AS last_visit_at
      FROM species_visit visit WHERE visit.species_id = species.id) span
    CROSS JOIN LATERAL (
      SELECT json_agg(coalesce(month.visits, 0) ORDER BY number) AS monthly_visits
      FROM generate_series(1, 12) number LEFT JOIN visit_month month
        ON month.year = 0 AND month.month = number AND month.species_id = species.id) months`,
};

const itemsSql = (condition: string, more: { readonly columns: string; readonly from: string } = none) => `
  SELECT id, name, scientific_name, parent_id, species_group AS "group", created_at, image_url, description, active,
    coalesce(total.individuals, 0) AS count, coalesce(total.visits, 0) AS visits,
    coalesce(total.visits, 0) > 0 AND coalesce(seen, 0) = 0 AS heard_only ${more.columns}
  FROM species LEFT JOIN species_total total ON total.species_id = id
    LEFT JOIN (${evidenceSql}) evidence ON evidence.species_id = id ${more.from}
  WHERE merged_into IS NULL AND ${condition}`;

const speciesSql = (items: string) => `
  SELECT coalesce(json_agg(item ORDER BY name, id), '[]')::text AS body FROM (${items}) item`;

const familiesSql = `
  SELECT coalesce(json_agg(item ORDER BY name, id), '[]')::text AS body FROM (
    SELECT id, name FROM species WHERE rank = 'family' AND merged_into IS NULL
  ) item`;

async function readBody(pool: pg.Pool, name: string, text: string): Promise<string> {
  const { rows } = await pool.query<{ body: string }>({ name, text });
  return rows[0]?.body ?? '[]';
}

/** Returns the JSON of all species by name, with counts from the rollup. */
export const listSpecies = (pool: pg.Pool) => readBody(pool, 'species', speciesSql(itemsSql('true')));

/** Returns the JSON of the species with visits, by name. */
export const listObservedSpecies = (pool: pg.Pool) =>
  readBody(pool, 'species-observed', speciesSql(itemsSql('total.visits > 0', presence)));

/** Returns the JSON of all families by name. */
export const listFamilies = (pool: pg.Pool) => readBody(pool, 'families', familiesSql);

/** Returns one species in the form of the list. @throws HubError species_not_found */
export async function getSpecies(pool: pg.Pool, id: number): Promise<Species> {
  const text = `SELECT row_to_json(item) AS species FROM (${itemsSql('id = $1')}) item`;
  const { rows } = await pool.query<{ species: Species }>({ name: 'species-row', text, values: [id] });
  const [row] = rows;
  if (!row) throw new HubError('species_not_found');
  return row.species;
}

/**
 * SQL: a species and its descendants with visits: `id`, and `branch`, the child of the species from which it descends,
 * null for the species itself. `species` is the parameter of its id.
 */
const kinSql = (species: string): string => `
  WITH RECURSIVE kin (id, branch) AS (
    SELECT id, NULL::integer FROM species WHERE id = ${currentSpeciesSql(species)}
    UNION
    SELECT species.id, coalesce(branch, species.id) FROM kin JOIN species ON parent_id = kin.id
  )
  SELECT id, branch FROM kin WHERE id IN (SELECT species_id FROM species_total)`;

/** A query for visits of a species and its descendants. */
export interface SpeciesVisitsSearch {
  readonly speciesId: number;
  readonly limit: number;
  /** The last item of the previous page. */
  readonly after: Place | undefined;
}

/**
 * Parameters: species, position of the last previous item (start, id; or nulls), limit, maximum bytes. At most a page
 * is read of each species. Visits of one species never start together, so one index has them in order.
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

/** SQL: the JSON fields of the activity by hour, from the rows of `hourly` that meet a condition. */
const activitySql = (condition: string) => `
  'visits', (SELECT json_build_object('visits_24h', coalesce(sum(visits_day), 0),
      'visits_7d', coalesce(sum(visits_week), 0), 'visits_30d', coalesce(sum(visits), 0))
    FROM hourly WHERE ${condition}),
  'hourlyVisits', (SELECT json_agg(coalesce(visits, 0) ORDER BY every.hour)
    FROM generate_series(0, 23) every (hour)
      LEFT JOIN (SELECT hour, sum(visits) AS visits FROM hourly WHERE ${condition} GROUP BY hour) own USING (hour)),
  'peak_count_30d', (SELECT max(peak) FROM hourly WHERE ${condition}),
  'detections', (SELECT json_build_object('detections_24h', coalesce(sum(day), 0),
      'detections_7d', coalesce(sum(week), 0), 'detections_30d', coalesce(sum(month), 0))
    FROM hourly WHERE ${condition}),
  'hourlyActivity', (SELECT json_agg(coalesce(birds, 0) ORDER BY every.hour)
    FROM generate_series(0, 23) every (hour)
      LEFT JOIN (SELECT hour, sum(month) AS birds FROM hourly WHERE ${condition} GROUP BY hour) own USING (hour))`;

const totalVisitsSql = `(SELECT coalesce(sum(visits), 0) FROM species_total JOIN kin ON kin.id = species_id)`;

/** Months of the year 0 are sums over all years. */
const seenVisitsSql = `
  (SELECT coalesce(sum(video_visits), 0) FROM visit_month JOIN kin ON kin.id = species_id WHERE year = 0)`;

/** First and last sighting: visits of one species never overlap, so the last to start is the last to end. */
const timeRangeSql = `
  SELECT json_build_object('first_sighting', min(first.start_time), 'last_sighting', max(last.end_time))
  FROM kin
    CROSS JOIN LATERAL (
      SELECT start_time FROM species_visit WHERE species_id = kin.id ORDER BY start_time LIMIT 1
    ) first
    CROSS JOIN LATERAL (
      SELECT end_time FROM species_visit WHERE species_id = kin.id ORDER BY start_time DESC LIMIT 1
    ) last`;

const weatherSql = `
  SELECT coalesce(json_agg(row_to_json(bucket) ORDER BY count DESC, temp, clouds), '[]') FROM (
    SELECT round(temp::numeric)::integer AS temp, round(clouds::numeric)::integer AS clouds, sum(birds) AS count,
      count(*) AS visits
    FROM (
      SELECT DISTINCT ON (visit_id) visit_id, birds, weather_id FROM recorded ORDER BY visit_id, start_time, video_id
    ) first JOIN weather_snapshot ON id = weather_id
    WHERE temp IS NOT NULL AND clouds IS NOT NULL GROUP BY 1, 2
  ) bucket`;

const foodSql = `
  SELECT coalesce(json_agg(row_to_json(food) ORDER BY count DESC, name), '[]') FROM (
    SELECT name, count(DISTINCT visit_id) AS count
    FROM recorded JOIN video_food USING (video_id) JOIN bird_food ON bird_food.id = food_id
    GROUP BY bird_food.id, name ORDER BY count DESC, name LIMIT 5
  ) food`;

const subspeciesSql = `
  SELECT coalesce(json_agg(json_build_object(
    'species', json_build_object('id', id, 'name', name, 'scientific_name', scientific_name, 'image_url', image_url),
    'stats', json_build_object(${activitySql('branch = child.id')})) ORDER BY name, id), '[]')
  FROM species child WHERE parent_id = ${currentSpeciesSql('$1')}`;

/**
 * Returns no row when the species does not exist. Parameters: species, now, starts and offsets of the zone clock,
 * language of the description; a description by a person applies to all languages. Written so that the planner does not
 * read entire tables when it overestimates the recursive query.
 */
export const speciesSummarySql = `
  WITH kin AS MATERIALIZED (${kinSql('$1')}),
  hourly AS MATERIALIZED (
    SELECT branch, hour, sum(birds) AS month,
      coalesce(sum(birds) FILTER (WHERE start_time >= $2::timestamptz - interval '168 hours'), 0) AS week,
      coalesce(sum(birds) FILTER (WHERE start_time >= $2::timestamptz - interval '24 hours'), 0) AS day,
      count(*) AS visits, max(birds) AS peak,
      count(*) FILTER (WHERE start_time >= $2::timestamptz - interval '168 hours') AS visits_week,
      count(*) FILTER (WHERE start_time >= $2::timestamptz - interval '24 hours') AS visits_day
    FROM (
      SELECT branch, start_time, max_simultaneous AS birds, ${localHourSql('start_time', '$3', '$4')} AS hour
      FROM kin CROSS JOIN LATERAL (
        SELECT start_time, max_simultaneous FROM species_visit
        WHERE species_id = kin.id AND start_time >= $2::timestamptz - interval '720 hours' OFFSET 0
      ) visit
    ) visit GROUP BY branch, hour
  ), newest AS MATERIALIZED (
    SELECT visit.* FROM kin CROSS JOIN LATERAL (
      SELECT id, start_time, max_simultaneous AS birds FROM species_visit WHERE species_id = kin.id
      ORDER BY start_time DESC LIMIT ${newestVisits}
    ) visit ORDER BY start_time DESC LIMIT ${newestVisits}
  ), recorded AS MATERIALIZED (
    SELECT visit_id, birds, video_id, video.start_time, weather_id
    FROM newest CROSS JOIN LATERAL (
      SELECT DISTINCT visit_id, video_id FROM detection WHERE visit_id = newest.id OFFSET 0
    ) seen CROSS JOIN LATERAL (
      SELECT start_time, weather_id FROM video WHERE id = video_id OFFSET 0
    ) video
  )
  SELECT json_build_object(
    'species', json_build_object('id', own.id, 'name', own.name, 'scientific_name', own.scientific_name,
      'image_url', own.image_url, 'thumbhash', ${thumbhashOfOwnPicture('own.image_url')}, 'description', coalesce(translation.description, own.description), 'active', own.active,
      'group', own.species_group,
      'description_language', coalesce(translation.language, CASE WHEN info.species_id IS NOT NULL THEN 'en' END),
      'description_source', CASE
        WHEN translation.species_id IS NOT NULL THEN json_build_object('url', translation.source_url, 'licence', translation.licence)
        WHEN info.species_id IS NOT NULL THEN json_build_object('url', info.source_url, 'licence', info.licence) END,
      'parent', (SELECT json_build_object('id', id, 'name', name) FROM species parent WHERE parent.id = own.parent_id)),
    'stats', json_build_object(${activitySql('true')}, 'total_visits', ${totalVisitsSql},
      'heard_only', ${totalVisitsSql} > 0 AND ${seenVisitsSql} = 0, 'timeRange', (${timeRangeSql}),
      'weather', (${weatherSql}), 'food', (${foodSql})),
    'subspecies', (${subspeciesSql}))::text AS body
  FROM species own
    LEFT JOIN species_info info ON info.species_id = own.id AND info.description = own.description
    LEFT JOIN species_translation translation ON translation.species_id = own.id AND translation.language = $5
      AND translation.description IS NOT NULL AND (own.description IS NULL OR info.species_id IS NOT NULL)
  WHERE own.id = ${currentSpeciesSql('$1')}`;

/** A query for a summary. */
export interface SummarySearch {
  readonly speciesId: number;
  /** The current time, in ms since the epoch. */
  readonly now: number;
  readonly clock: ZoneClock;
  /** Language of the description. */
  readonly language: DescriptionLanguage;
}

/** Returns the JSON of a summary without its visits. @throws HubError species_not_found */
export async function readSpeciesSummary(
  pool: pg.Pool,
  { speciesId, now, clock, language }: SummarySearch,
): Promise<string> {
  const values = [speciesId, new Date(now), clock.starts, clock.offsets, language];
  const statement = { name: 'species-summary', text: speciesSummarySql, values };
  const { rows } = await pool.query<{ body: string }>(statement);
  const [row] = rows;
  if (!row) throw new HubError('species_not_found');
  return row.body;
}
