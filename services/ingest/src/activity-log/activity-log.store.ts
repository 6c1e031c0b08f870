import type { Bell } from '@birdhub/shared/db';
import { inTransaction } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import { outboxRow, writeOutbox } from '@birdhub/shared/outbox';
import type pg from 'pg';

/** A row as posted; `data` is JSON text. */
export interface ActivityWrite {
  readonly type: string;
  readonly data: string;
  readonly id: number | undefined;
  readonly requestId: string;
}

/** Something a processor is asked to do. */
export interface WaitingCommand {
  readonly id: number;
  readonly type: string;
}

/** What became of a row; commands only for a heartbeat. */
export interface ActivityWritten {
  readonly id: number;
  readonly created: boolean;
  readonly commands: readonly WaitingCommand[] | undefined;
}

/** The activity log, and the commands that heartbeats carry to a processor. */
export interface ActivityLogStore {
  /** @throws HubError activity_not_found */
  write(activity: ActivityWrite): Promise<ActivityWritten>;
}

const heartbeat = 'heartbeat';

/** Acknowledged are the commands that a heartbeat names, and restarts when the processor says it started anew. */
const acknowledge = `
  UPDATE processor_command SET acked_at = now()
  WHERE acked_at IS NULL AND (
    to_jsonb(id) <@ CASE jsonb_typeof($1::jsonb -> 'acked_commands') WHEN 'array' THEN $1::jsonb -> 'acked_commands' ELSE '[]' END
    OR (type = 'restart' AND $1::jsonb ->> 'started_at' <> $2))`;

const update = `
  UPDATE activity_log AS row SET type = $2, data = $3, updated_at = now()
  FROM (SELECT id, data ->> 'started_at' AS started_at FROM activity_log WHERE id = $1 FOR UPDATE) AS old
  WHERE row.id = old.id RETURNING row.id, old.started_at`;

/** An id that was handed out before a backup was restored must not be handed out again. */
const createUnderId = `
  WITH made AS (INSERT INTO activity_log (id, type, data) VALUES ($1, $2, $3) RETURNING id)
  SELECT id, setval('activity_log_id_seq', greatest(id, (SELECT last_value FROM activity_log_id_seq))) FROM made`;

const create = 'INSERT INTO activity_log (type, data) VALUES ($1, $2) RETURNING id';

async function writeRow(client: pg.ClientBase, { id, type, data }: ActivityWrite) {
  if (id === undefined) {
    const { rows } = await client.query<{ id: number }>(create, [type, data]);
    return { id: rows[0]?.id, startedAt: null, created: true };
  }
  const { rows } = await client.query<{ id: number; started_at: string | null }>(update, [id, type, data]);
  const [known] = rows;
  if (known) return { id: known.id, startedAt: known.started_at, created: false };
  if (type !== heartbeat) throw new HubError('activity_not_found');
  await client.query(createUnderId, [id, type, data]);
  return { id, startedAt: null, created: true };
}

async function exchangeCommands(
  client: pg.ClientBase,
  data: string,
  startedAt: string | null,
): Promise<WaitingCommand[]> {
  await client.query(acknowledge, [data, startedAt]);
  const { rows } = await client.query<WaitingCommand>(
    'SELECT id, type FROM processor_command WHERE acked_at IS NULL AND expires_at > now() ORDER BY id',
  );
  return rows;
}

/** On the database; each row in one transaction with its event. */
export function createActivityLogStore({ pool, bell }: { pool: pg.Pool; bell: Bell }): ActivityLogStore {
  return {
    async write(activity) {
      const { type, data, requestId } = activity;
      const written = await inTransaction(pool, async (client) => {
        const { id, startedAt, created } = await writeRow(client, activity);
        if (id === undefined) throw new Error('the database answered no id of an activity row');
        const commands = type === heartbeat ? await exchangeCommands(client, data, startedAt) : undefined;
        const payload = { activity_id: id, type, reported_at: new Date().toISOString() };
        await writeOutbox(client, [outboxRow('hub.v1.processor.reported', 'processor', payload, requestId)]);
        return { id, created, commands };
      });
      bell.wake();
      return written;
    },
  };
}
