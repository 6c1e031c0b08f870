import { insertOutbox, type OutboxRow } from '@birdhub/shared/outbox';
import type pg from 'pg';
import type { HubActivityType } from '../activity/index.js';

/** Tells of a change of species: a row of the activity log and an event. */
export async function tellOfChange(
  client: pg.ClientBase,
  activity: { readonly type: HubActivityType; readonly data: object },
  event: OutboxRow,
): Promise<void> {
  await client.query(
    `WITH logged AS (INSERT INTO activity_log (type, data) VALUES ($1, $2::jsonb)) ${insertOutbox('$3')}`,
    [activity.type, JSON.stringify(activity.data), JSON.stringify([event])],
  );
}
