/**
 * The timeline of a window ($1 to $2) as one hand-written statement, for which PostgreSQL creates the entire response: the
 * complete items of the contract, newest first, without filters and pages.
 */
export const timelineSql = `
  WITH visit AS MATERIALIZED (
    SELECT id, start_time, end_time, max_simultaneous, species_id FROM species_visit
    WHERE start_time >= $1::timestamptz - interval '1 day' AND start_time < $2 AND end_time >= $1),
  seen AS MATERIALIZED (
    SELECT visit_id, detection.id, video_id, detection.start_time, detection.end_time, confidence, source,
      detection_provider, reviewed
    FROM visit JOIN detection ON visit_id = visit.id),
  listed AS MATERIALIZED (
    SELECT visit_id, json_agg((SELECT line FROM (SELECT id, video_id, start_time, end_time, confidence, source,
      detection_provider, reviewed) line) ORDER BY start_time DESC, id DESC) AS detections
    FROM seen GROUP BY visit_id),
  recording AS MATERIALIZED (
    SELECT visit_id, video_id, start_time, end_time, camera_id, weather_id, CASE WHEN media = 'none' THEN NULL
      WHEN video_path LIKE '%.mp4' THEN 'video'
      WHEN video_path ~* '\\.(wav|mp3|flac|ogg|opus|m4a|aac)$' THEN 'audio'
      WHEN video_path ~* '\\.(jpe?g|png|webp)$' THEN 'image' ELSE 'video' END AS media_kind
    FROM (SELECT DISTINCT visit_id, video_id FROM seen) own JOIN video ON video.id = video_id),
  recorded AS MATERIALIZED (
    SELECT visit_id, count(*) AS recordings, date_part('epoch', sum(end_time - start_time)) AS seconds,
      max(media_kind) AS media_kind, json_agg(DISTINCT camera_id) AS cameras,
      (array_agg(weather_id ORDER BY start_time))[1] AS weather_id
    FROM recording GROUP BY visit_id),
  top AS MATERIALIZED (
    SELECT DISTINCT ON (visit_id) * FROM seen
    ORDER BY visit_id, source = 'video' DESC, confidence DESC, start_time DESC, id DESC),
  best AS MATERIALIZED (
    SELECT visit_id, json_build_object('detection_id', top.id, 'video_id', video_id, 'source', source,
      'media_kind', media_kind, 'seconds', coalesce(detection_picture.seconds,
        date_part('epoch', top.start_time - recording.start_time))) AS best,
      CASE WHEN source = 'video' THEN thumbhash END AS thumbhash
    FROM top JOIN recording USING (visit_id, video_id) LEFT JOIN detection_picture ON detection_id = top.id),
  sound AS MATERIALIZED (
    SELECT DISTINCT ON (visit_id) visit_id, json_build_object('detection_id', seen.id, 'video_id', video_id,
      'media_kind', media_kind, 'from', date_part('epoch', seen.start_time - recording.start_time),
      'to', date_part('epoch', seen.end_time - recording.start_time),
      'recording_seconds', date_part('epoch', recording.end_time - recording.start_time)) AS heard
    FROM seen JOIN recording USING (visit_id, video_id)
    WHERE visit_id IN (SELECT visit_id FROM top WHERE source <> 'video') AND media_kind <> 'image'
    ORDER BY visit_id, confidence DESC, seen.id),
  kind AS (
    SELECT id AS species_id, row_to_json(bird) AS species
    FROM (SELECT id, name, scientific_name, image_url, parent_id, species_group AS "group" FROM species) bird),
  air AS (
    SELECT id AS weather_id, json_build_object('temp', temp, 'clouds', clouds) AS weather FROM weather_snapshot
    WHERE fetched_at >= $1::timestamptz - interval '1 day' AND fetched_at < $2)
  SELECT coalesce(json_agg(item ORDER BY start_time DESC, id DESC), '[]')::text AS response FROM (
    SELECT visit.id, 'visit' AS timeline_kind, start_time, end_time, max_simultaneous,
      seconds AS total_recording_seconds, CASE WHEN recordings = 1 THEN seconds END AS video_duration_seconds,
      weather, species, media_kind, cameras, best, heard, thumbhash, detections
    FROM visit JOIN recorded ON recorded.visit_id = visit.id JOIN listed ON listed.visit_id = visit.id
      JOIN best ON best.visit_id = visit.id LEFT JOIN sound ON sound.visit_id = visit.id
      JOIN kind USING (species_id) LEFT JOIN air USING (weather_id)) item`;
