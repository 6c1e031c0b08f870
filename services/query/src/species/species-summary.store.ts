import { currentSpeciesSql } from '@birdhub/domain/species';
import { HubError } from '@birdhub/shared/errors';
import { localHourSql, type ZoneClock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { DescriptionLanguage } from '../species-knowledge/description-language.js';
import { newestVisits } from './species-summary.schema.js';
import { kinSql } from './species-visits.store.js';

/** The fields that say when how many visits began and how many birds came, of those of `hourly` that pass. */
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

/** Months of the year 0 are of all years together. */
const seenVisitsSql = `
  (SELECT coalesce(sum(video_visits), 0) FROM visit_month JOIN kin ON kin.id = species_id WHERE year = 0)`;

/** First and last sighting: visits of one species never overlap, so its last to begin is its last to end. */
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
 * Answers no row when there is no such species. Parameters: species, now, the two of the zone's clock, the language of
 * the description, of which a person's own stands in every language. The planner is
 * kept from reading whole tables where it takes a recursive query for a large part of them.
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
      'image_url', own.image_url, 'description', coalesce(told.description, own.description), 'active', own.active,
      'description_language', coalesce(told.language, CASE WHEN info.species_id IS NOT NULL THEN 'en' END),
      'description_source', CASE
        WHEN told.species_id IS NOT NULL THEN json_build_object('url', told.source_url, 'licence', told.licence)
        WHEN info.species_id IS NOT NULL THEN json_build_object('url', info.source_url, 'licence', info.licence) END,
      'parent', (SELECT json_build_object('id', id, 'name', name) FROM species parent WHERE parent.id = own.parent_id)),
    'stats', json_build_object(${activitySql('true')}, 'total_visits', ${totalVisitsSql},
      'heard_only', ${totalVisitsSql} > 0 AND ${seenVisitsSql} = 0, 'timeRange', (${timeRangeSql}),
      'weather', (${weatherSql}), 'food', (${foodSql})),
    'subspecies', (${subspeciesSql}))::text AS body
  FROM species own
    LEFT JOIN species_info info ON info.species_id = own.id AND info.description = own.description
    LEFT JOIN species_translation told ON told.species_id = own.id AND told.language = $5
      AND told.description IS NOT NULL AND (own.description IS NULL OR info.species_id IS NOT NULL)
  WHERE own.id = ${currentSpeciesSql('$1')}`;

/** Whose summary, and when. */
export interface SummarySearch {
  readonly speciesId: number;
  /** The present, in ms since the epoch. */
  readonly now: number;
  readonly clock: ZoneClock;
  /** Of the description. */
  readonly language: DescriptionLanguage;
}

/**
 * The JSON of a summary without its visits.
 * @throws HubError species_not_found
 */
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
