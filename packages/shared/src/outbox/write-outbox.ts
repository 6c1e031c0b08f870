import type pg from 'pg';
import type { OutboxRow } from './outbox-row.js';

/** The rows of a JSON parameter as a source to insert from, for writers that do it within a larger statement. */
export const insertOutbox = (parameter: string) => `
  INSERT INTO outbox (subject, ordering_key, payload, request_id)
  SELECT subject, "orderingKey", payload, "requestId"
  FROM json_to_recordset(${parameter}) AS event (subject text, "orderingKey" text, payload jsonb, "requestId" text)`;

/** Puts events into the outbox, in the transaction of the change that they tell of. */
export async function writeOutbox(client: pg.ClientBase, events: readonly OutboxRow[]): Promise<void> {
  await client.query(insertOutbox('$1'), [JSON.stringify(events)]);
}
