/**
 * The rows of a recording, with each detection in a visit of `placed`. Parameters: camera, path, start and end; then
 * species, start, end, confidence, name and boxes of each detection.
 */
const rows = `
  added AS (
    INSERT INTO video (camera_id, video_path, processor_version, start_time, end_time, detection_count, content_hash)
    VALUES ($1, $2, 'bench', $3::timestamptz, $4, cardinality($5::int[]), '') RETURNING id),
  row AS MATERIALIZED (
    SELECT nextval('detection_id_seq') AS id, given.*
    FROM unnest($5::int[], $6::timestamptz[], $7::timestamptz[], $8::float8[], $9::text[], $10::text[])
      AS given (species_id, start_time, end_time, confidence, name, frames)),
  detections AS (
    INSERT INTO detection (id, video_id, species_id, visit_id, start_time, end_time, start_offset, end_offset,
      confidence, source, posted_name)
    SELECT row.id, added.id, species_id, placed.id, start_time, end_time,
      extract(epoch FROM start_time - $3), extract(epoch FROM end_time - $3), confidence, 'video', name
    FROM row JOIN placed USING (species_id) CROSS JOIN added)
  INSERT INTO detection_track (detection_id, frames) SELECT id, frames::json FROM row`;

/** Stores a recording in existing visits: one ($12) for each species ($11). The minimum work of any ingest. */
export const insertRecordingSql = `
  WITH placed AS (SELECT * FROM unnest($11::int[], $12::bigint[]) AS visit (species_id, id)),
  ${rows}`;

/**
 * Stores a recording and finds, joins or creates its visits: for each species ($11) the one around its first start
 * ($12) and last end ($13), with its number of detections ($14). The caller holds the locks of the species.
 */
export const ingestRecordingSql = `
  WITH given AS MATERIALIZED (
    SELECT * FROM unnest($11::int[], $12::timestamptz[], $13::timestamptz[], $14::int[])
      AS given (species_id, low, high, count)),
  near AS MATERIALIZED (
    SELECT given.species_id, visit.*, first_value(visit.id) OVER (
      PARTITION BY given.species_id ORDER BY visit.start_time) AS kept_id
    FROM given CROSS JOIN LATERAL (
      SELECT id, start_time, end_time, detection_count, video_count
      FROM visits_near(given.species_id, given.low - interval '60 s', given.high + interval '60 s')) visit),
  moved AS (
    UPDATE detection SET visit_id = kept_id FROM near WHERE detection.visit_id = near.id AND near.id <> kept_id),
  joined AS (DELETE FROM species_visit USING near WHERE species_visit.id = near.id AND near.id <> kept_id),
  grown AS (
    UPDATE species_visit SET start_time = least(low, whole.start_time), end_time = greatest(high, whole.end_time),
      detection_count = whole.detections + count, video_count = whole.videos + count
    FROM given JOIN (
      SELECT species_id, kept_id, min(start_time) AS start_time, max(end_time) AS end_time,
        sum(detection_count) AS detections, sum(video_count) AS videos
      FROM near GROUP BY species_id, kept_id) whole USING (species_id)
    WHERE species_visit.id = kept_id RETURNING species_visit.species_id, species_visit.id),
  made AS (
    INSERT INTO species_visit (species_id, start_time, end_time, max_simultaneous, detection_count, video_count)
    SELECT species_id, low, high, 1, count, count FROM given
    WHERE species_id NOT IN (SELECT species_id FROM near) RETURNING species_id, id),
  placed AS (SELECT * FROM grown UNION ALL SELECT * FROM made),
  ${rows}`;
