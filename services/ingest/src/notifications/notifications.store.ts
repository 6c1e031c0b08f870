import type { Bell } from '@birdhub/shared/db';
import { inTransaction, keyOf, lockNames } from '@birdhub/shared/db';
import { outboxRow, writeOutbox } from '@birdhub/shared/outbox';
import type pg from 'pg';

/** What a processor announces. */
export interface DetectionNotice {
  readonly speciesName: string;
  readonly image: Buffer | undefined;
  readonly imagePath: string | null;
  readonly link: string | null;
  readonly extra: unknown;
}

/** Announcements of the processor on their way to people. */
export interface NotificationStore {
  addDetection(notice: DetectionNotice, requestId: string): Promise<void>;
  addMotion(requestId: string): Promise<void>;
}

/** Pictures are of use for the minutes in which people are told, so older ones go as new ones come. */
const insertNotice = `
  WITH expired AS (DELETE FROM detection_notice WHERE notified_at < now() - interval '1 day')
  INSERT INTO detection_notice (species_name, link, image_path, image, extra, notified_at)
  VALUES ($1, $2, $3, $4, $5, now()) RETURNING id, notified_at`;

/** Pictures in store, all together. */
const maxPictures = 200;
const maxPictureBytes = 64 * 1024 * 1024;

/** One after the other, as each looks at what the others keep. */
const takePictures = `SELECT pg_advisory_xact_lock(${keyOf(lockNames.noticePictures)})`;

/** The oldest go; so no more than the limit and those that come at once are ever looked at. */
const dropPictures = `
  UPDATE detection_notice SET image = NULL WHERE id IN (
    SELECT id FROM (
      SELECT id, row_number() OVER newest AS number, sum(octet_length(image)) OVER newest AS bytes
      FROM detection_notice WHERE image IS NOT NULL WINDOW newest AS (ORDER BY id DESC)) kept
    WHERE number > $1 OR bytes > $2)`;

/** On the database; the event is in the same transaction. */
export function createNotificationStore({ pool, bell }: { pool: pg.Pool; bell: Bell }): NotificationStore {
  return {
    async addDetection({ speciesName, image, imagePath, link, extra }, requestId) {
      await inTransaction(pool, async (client) => {
        if (image) await client.query(takePictures);
        const values = [speciesName, link, imagePath, image, extra === null ? null : JSON.stringify(extra)];
        const { rows } = await client.query<{ id: number; notified_at: Date }>(insertNotice, values);
        const [row] = rows;
        if (!row) throw new Error('the database answered no id of a notice');
        if (image) await client.query(dropPictures, [maxPictures, maxPictureBytes]);
        const payload = {
          notice_id: String(row.id),
          species_name: speciesName,
          link,
          image_path: imagePath,
          has_image: image !== undefined,
          notified_at: row.notified_at.toISOString(),
        };
        await writeOutbox(client, [outboxRow('hub.v1.detection.notified', 'notices', payload, requestId)]);
      });
      bell.wake();
    },

    async addMotion(requestId) {
      const payload = { notified_at: new Date().toISOString() };
      await inTransaction(pool, (client) =>
        writeOutbox(client, [outboxRow('hub.v1.motion.notified', 'motion', payload, requestId)]),
      );
      bell.wake();
    },
  };
}
