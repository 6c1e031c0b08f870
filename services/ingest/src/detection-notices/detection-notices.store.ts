import { keyOf, lockNames, queryRow } from '@birdhub/shared/db';
import { type CommitDeps, commit, outboxRow } from '@birdhub/shared/outbox';
import { type Clock, formatInstant } from '@birdhub/shared/time';

/** A detection that a processor announces before its recording is posted. */
export interface DetectionNotice {
  readonly speciesName: string;
  readonly image: Buffer | undefined;
  readonly imagePath: string | null;
  readonly link: string | null;
  readonly extra: unknown;
}

/** Stores notices of processors, each with its event in one transaction. */
export class DetectionNotices {
  readonly #deps: CommitDeps & { readonly clock: Clock };

  constructor(deps: CommitDeps & { readonly clock: Clock }) {
    this.#deps = deps;
  }

  async addDetection(notice: DetectionNotice, requestId: string): Promise<void> {
    const { speciesName, image, imagePath, link, extra } = notice;
    await commit(this.#deps, async ({ client, publish }) => {
      if (image) await client.query(lockPicturesSql);
      const values = [speciesName, link, imagePath, image, extra === null ? null : JSON.stringify(extra)];
      const row = await queryRow<{ id: number; notified_at: Date }>(client, {
        text: insertNoticeSql,
        values,
      });
      if (image) await client.query(dropPicturesSql, [maxPictures, maxPictureBytes]);
      const payload = {
        notice_id: String(row.id),
        species_name: speciesName,
        link,
        image_path: imagePath,
        has_image: image !== undefined,
        notified_at: row.notified_at.toISOString(),
      };
      publish(outboxRow('hub.v1.detection.notified', 'notices', payload, requestId));
    });
  }

  async addMotion(requestId: string): Promise<void> {
    const payload = { notified_at: formatInstant(this.#deps.clock.now()) };
    await commit(this.#deps, async ({ publish }) =>
      publish(outboxRow('hub.v1.motion.notified', 'motion', payload, requestId)),
    );
  }
}

/** Limit of all stored notices. */
const maxNotices = 1_000;

/**
 * Notices are only needed until notifications are sent; each new one deletes those older than a day and those beyond the
 * limit. Rows that another writer is deleting are skipped.
 */
const insertNoticeSql = `
  WITH expired AS (DELETE FROM detection_notice WHERE id IN (
    SELECT id FROM detection_notice
    WHERE notified_at < now() - interval '1 day'
      OR id <= (SELECT max(id) FROM detection_notice) + 1 - ${maxNotices}
    FOR UPDATE SKIP LOCKED))
  INSERT INTO detection_notice (species_name, link, image_path, image, extra, notified_at)
  VALUES ($1, $2, $3, $4, $5, now()) RETURNING id, notified_at`;

/** Limits of all stored pictures. */
const maxPictures = 200;
const maxPictureBytes = 64 * 1024 * 1024;

/** Serialises writers of pictures, as each of them counts all pictures. */
const lockPicturesSql = `SELECT pg_advisory_xact_lock(${keyOf(lockNames.noticePictures)})`;

/** Drops the oldest pictures beyond the limits. */
const dropPicturesSql = `
  UPDATE detection_notice SET image = NULL WHERE id IN (
    SELECT id FROM (
      SELECT id, row_number() OVER newest AS number, sum(octet_length(image)) OVER newest AS bytes
      FROM detection_notice WHERE image IS NOT NULL WINDOW newest AS (ORDER BY id DESC)) kept
    WHERE number > $1 OR bytes > $2)`;
