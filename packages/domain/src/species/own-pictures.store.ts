import type { ChangeNotifier } from '@birdhub/shared/db';
import type pg from 'pg';

/** The URL of a crop, relative to the address of the hub. */
const cropUrl = (detectionId: string) => `'api/ui/detections/' || ${detectionId} || '/crop'`;

/** SQL: whether a picture is one of the hub's own crops. */
export const isOwnPicture = (imageUrl: string) => `${imageUrl} ~ '^api/ui/detections/[0-9]+/crop$'`;

/** SQL: the blurred copy of a picture that is one of the hub's own crops; null for others. */
export const thumbhashOfOwnPicture = (imageUrl: string) => `
  (SELECT thumbhash FROM detection_picture
   WHERE detection_id = substring(${imageUrl} FROM '^api/ui/detections/([0-9]{1,18})/crop$')::bigint)`;

const newestVisits = 300;

/**
 * The best crop of a species among its newest visits: a reviewed one, else the one with the highest confidence. Its
 * recording is locked against purges until the transaction ends.
 */
const bestDetection = (speciesId: string) => `
  SELECT detection.id
  FROM (
    SELECT id FROM species_visit WHERE species_id = ${speciesId} ORDER BY start_time DESC LIMIT ${newestVisits}
  ) visit JOIN detection ON visit_id = visit.id JOIN video ON video.id = video_id
  WHERE detection.species_id = ${speciesId} AND source = 'video' AND media = 'ready'
  ORDER BY reviewed DESC, confidence DESC, detection.id DESC LIMIT 1 FOR SHARE OF video`;

const chooseSql = `
  WITH wanted AS MATERIALIZED (
    SELECT id, image_url FROM species JOIN species_total ON species_id = id
    WHERE visits > 0 AND NOT generic AND merged_into IS NULL AND (image_url IS NULL OR (
      ${isOwnPicture('image_url')} AND NOT EXISTS (
        SELECT FROM detection JOIN video ON video.id = video_id
        WHERE detection.id = substring(image_url FROM '([0-9]+)/crop$')::bigint
          AND detection.species_id = species.id AND media = 'ready')))
  ), chosen AS MATERIALIZED (
    SELECT wanted.id, ${cropUrl(`(${bestDetection('wanted.id')})`)} AS image_url FROM wanted
  )
  UPDATE species SET image_url = chosen.image_url FROM chosen
  WHERE species.id = chosen.id AND species.image_url IS DISTINCT FROM chosen.image_url`;

/**
 * Sets the best crop as the picture of species without one, and replaces or removes crops whose video was deleted.
 * Publishes a change notice if a picture changed.
 */
export async function chooseOwnPictures(
  pool: pg.Pool,
  notifier: Pick<ChangeNotifier, 'notify'>,
): Promise<void> {
  const { rowCount } = await pool.query(chooseSql);
  if (rowCount) notifier.notify({ kind: 'species' });
}

const crop = '^(?:[^:]*/)?api/ui/detections/([0-9]{1,18})/crop';
const videoPicture = '^(?:[^:]*/)?api/ui/videos/([0-9]{1,18})/(?:poster|spectrogram)';

/** SQL: whether a picture belongs to a recording that was deleted or has no file. */
const isLost = (imageUrl: string) => `CASE
  WHEN ${imageUrl} ~ '${crop}' THEN NOT EXISTS (
    SELECT FROM detection JOIN video ON video.id = video_id
    WHERE detection.id = substring(${imageUrl} FROM '${crop}')::bigint AND media IN ('pending', 'ready'))
  WHEN ${imageUrl} ~ '${videoPicture}' THEN NOT EXISTS (
    SELECT FROM video WHERE id = substring(${imageUrl} FROM '${videoPicture}')::bigint AND media IN ('pending', 'ready'))
  ELSE false END`;

const replaceSql = `
  WITH lost AS MATERIALIZED (
    SELECT id FROM species WHERE ${isLost('image_url')}
  ), chosen AS MATERIALIZED (
    SELECT lost.id, ${cropUrl(`(${bestDetection('lost.id')})`)} AS image_url FROM lost
  ), of_species AS (
    UPDATE species SET image_url = chosen.image_url FROM chosen WHERE species.id = chosen.id RETURNING 1
  ), of_foods AS (
    UPDATE bird_food SET image_url = NULL WHERE ${isLost('image_url')} RETURNING 1
  )
  SELECT (SELECT count(*) FROM of_species) AS species, (SELECT count(*) FROM of_foods) AS foods`;

/** The kinds of rows whose pictures changed. */
export type ReplacedPictures = readonly ('species' | 'foods')[];

/**
 * Replaces pictures of species whose recordings lost their files, and removes those of foods. Called in the transaction
 * that purges the files, after the purge.
 */
export async function replaceLostPictures(client: pg.ClientBase): Promise<ReplacedPictures> {
  const query = { name: 'replace-lost-pictures', text: replaceSql };
  const { rows } = await client.query<{ species: number; foods: number }>(query);
  const [row] = rows;
  return (['species', 'foods'] as const).filter((kind) => (row?.[kind] ?? 0) > 0);
}
