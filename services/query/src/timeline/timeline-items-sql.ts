/** The columns by which {@link timelineItemsSql} knows an item; those of recordings have minus their number as id. */
export const itemColumns = 'id, start_time, end_time, species_id, max_simultaneous';

/**
 * One statement that makes the JSON of timeline items, as rows are made text several times faster there than here.
 * `candidates` is a query with the {@link itemColumns}, of which the newest become a page; `limit` is the parameter
 * that says how many, or null for all.
 */
export const timelineItemsSql = (candidates: string, limit: string): string => `
  WITH candidate AS MATERIALIZED (${candidates}
  ), page AS MATERIALIZED (
    SELECT * FROM candidate ORDER BY start_time DESC, id DESC LIMIT ${limit}
  ), seen AS MATERIALIZED (
    SELECT visit_id AS item_id, detection.id, video_id, detection.start_time, detection.end_time, confidence, source,
      detection_provider, reviewed
    FROM page JOIN detection ON visit_id = page.id
  ), listed AS (
    SELECT item_id, json_agg((SELECT line FROM (SELECT id, video_id, start_time, end_time, confidence, source,
      detection_provider, reviewed) line) ORDER BY start_time DESC, id DESC) AS detections
    FROM seen GROUP BY item_id
  ), recorded AS (
    SELECT item_id, count(*) AS recordings, date_part('epoch', sum(end_time - start_time)) AS seconds,
      coalesce(json_agg(DISTINCT camera_id) FILTER (WHERE camera_id <> ''), '[]') AS cameras,
      (array_agg(weather_id ORDER BY start_time, id))[1] AS weather_id
    FROM (SELECT DISTINCT item_id, video_id FROM seen UNION ALL SELECT id, -id FROM page WHERE id < 0) link
    JOIN video ON video.id = video_id GROUP BY item_id
  ), kind AS MATERIALIZED (
    SELECT id AS species_id, row_to_json(kind) AS species FROM (
      SELECT id, name, scientific_name, image_url, parent_id FROM species
      WHERE id IN (SELECT species_id FROM page)
    ) kind
  ), air AS MATERIALIZED (
    SELECT id AS weather_id, json_build_object('temp', temp, 'clouds', clouds) AS weather
    FROM weather_snapshot WHERE id IN (SELECT weather_id FROM recorded)
  )
  SELECT
    (SELECT coalesce(json_agg(item ORDER BY start_time DESC, id DESC), '[]')::text FROM (
      SELECT page.id, CASE WHEN page.id > 0 THEN 'visit' ELSE 'unlinked_video' END AS timeline_kind,
        page.start_time, page.end_time, max_simultaneous, seconds AS total_recording_seconds,
        CASE WHEN recordings = 1 THEN seconds END AS video_duration_seconds, weather, species, cameras,
        coalesce(detections, '[]') AS detections
      FROM page JOIN recorded ON recorded.item_id = page.id
        LEFT JOIN listed ON listed.item_id = page.id
        LEFT JOIN kind USING (species_id) LEFT JOIN air USING (weather_id)
    ) item) AS body,
    (SELECT json_build_object(
      'hasMore', coalesce((SELECT count(*) FROM candidate) > ${limit}, false),
      'lastId', (SELECT id FROM page ORDER BY start_time, id LIMIT 1),
      'earliest', (extract(epoch FROM min(start_time)) * 1000)::bigint,
      'latest', (extract(epoch FROM max(end_time)) * 1000)::bigint) FROM page)::text AS place`;
