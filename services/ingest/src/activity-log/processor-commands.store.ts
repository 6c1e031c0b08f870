import type pg from 'pg';

/** Something a processor is asked to do. */
export interface WaitingCommand {
  readonly id: number;
  readonly type: string;
}

/** Acknowledged are the commands that a heartbeat names, and restarts when the processor says it started anew. */
const acknowledge = `
  UPDATE processor_command SET acked_at = now()
  WHERE acked_at IS NULL AND (
    to_jsonb(id) <@ CASE jsonb_typeof($1::jsonb -> 'acked_commands') WHEN 'array' THEN $1::jsonb -> 'acked_commands' ELSE '[]' END
    OR (type = 'restart' AND $1::jsonb ->> 'started_at' <> $2))`;

const listWaiting =
  'SELECT id, type FROM processor_command WHERE acked_at IS NULL AND expires_at > now() ORDER BY id';

/** Takes the acknowledgements of a heartbeat, and answers what still waits for the processor. */
export async function exchangeCommands(
  client: pg.ClientBase,
  data: string,
  startedBefore: string | null,
): Promise<WaitingCommand[]> {
  await client.query(acknowledge, [data, startedBefore]);
  return (await client.query<WaitingCommand>(listWaiting)).rows;
}
