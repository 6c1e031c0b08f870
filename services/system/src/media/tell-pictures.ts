import type { EventMap } from '@birdhub/shared/events';
import { insertOutbox, outboxRow } from '@birdhub/shared/outbox';
import type pg from 'pg';

/** Says what pictures a recording has by now. The outbox is looked at with the next notification of a change. */
export async function tellPictures(
  pool: pg.Pool,
  payload: EventMap['hub.v1.pictures.finished'],
): Promise<void> {
  const event = outboxRow('hub.v1.pictures.finished', `pictures ${payload.video_id}`, payload, undefined);
  await pool.query({ name: 'tell-pictures', text: insertOutbox('$1'), values: [JSON.stringify([event])] });
}
