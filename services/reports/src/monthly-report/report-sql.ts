import { localHourSql } from '@birdhub/shared/time';

/** The day of an instant, counted from the first of the period. */
const dayOf = (instant: string) => `width_bucket(${instant}, $3::timestamptz[]) - 1`;

/**
 * What is to be said of a period, aggregated. Visits belong to it by their start. Parameters: start and end of the
 * period, the starts of its days, the two of the zone's clock.
 */
export const reportSql = `
  WITH visit AS MATERIALIZED (
    SELECT species_id, generic, start_time, end_time, max_simultaneous, detection_count,
      ${dayOf('start_time')} AS day, ${localHourSql('start_time', '$4', '$5')} AS hour
    FROM species_visit JOIN species ON species.id = species_id
    WHERE start_time >= $1 AND start_time < $2
  ), kind AS (
    SELECT species_id, count(*) AS visits, sum(max_simultaneous) AS individuals, max(max_simultaneous) AS most,
      sum(detection_count) AS detections, count(DISTINCT day) AS days,
      (extract(epoch FROM sum(end_time - start_time)) * 1000)::bigint AS duration,
      min(start_time) AS first, max(start_time) AS last
    FROM visit WHERE NOT generic GROUP BY species_id
  ), line AS (
    SELECT id, name, scientific_name AS "scientificName", visits, individuals, most, detections, days,
      duration AS "durationMs", (extract(epoch FROM first) * 1000)::bigint AS "firstAt",
      (extract(epoch FROM last) * 1000)::bigint AS "lastAt",
      NOT EXISTS (SELECT FROM species_visit WHERE species_id = species.id AND start_time < $1) AS "isNew"
    FROM kind JOIN species ON id = species_id ORDER BY visits DESC, name COLLATE "C", id
  ), hourly AS (
    SELECT day, hour, count(*) AS visits FROM visit WHERE NOT generic GROUP BY day, hour ORDER BY day, hour
  ), air AS (
    SELECT ${dayOf('fetched_at')} AS day, min(temp) AS least, round(avg(temp)::numeric, 2) AS mean, max(temp) AS most
    FROM weather_snapshot WHERE fetched_at >= $1 AND fetched_at < $2 AND temp IS NOT NULL GROUP BY 1 ORDER BY 1
  )
  SELECT
    (SELECT count(*) FROM visit WHERE generic) AS "genericVisits",
    (SELECT count(*) FROM video WHERE start_time >= $1 AND start_time < $2) AS recordings,
    (SELECT coalesce(json_agg(line), '[]') FROM line) AS species,
    (SELECT coalesce(json_agg(hourly), '[]') FROM hourly) AS hours,
    (SELECT coalesce(json_agg(air), '[]') FROM air) AS temperatures`;
