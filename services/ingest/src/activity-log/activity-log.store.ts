import type { Bell } from '@birdhub/shared/db';
import { inTransaction } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import { outboxRow, writeOutbox } from '@birdhub/shared/outbox';
import type pg from 'pg';
import { exchangeCommands, type WaitingCommand } from './processor-commands.store.js';
import { noteUptime } from './processor-uptime.store.js';

/** A row as posted; `data` is JSON text. */
export interface ActivityWrite {
  readonly type: string;
  readonly data: string;
  readonly id: number | undefined;
  readonly requestId: string;
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

const update = `
  UPDATE activity_log AS row SET type = $2, data = $3, updated_at = now()
  FROM (SELECT id, data ->> 'started_at' AS started_at FROM activity_log WHERE id = $1 FOR UPDATE) AS old
  WHERE row.id = old.id RETURNING row.id, old.started_at`;

const createUnderId = `
  INSERT INTO activity_log (id, type, data) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING RETURNING id`;

/** An id that a heartbeat was made again under is passed over, wherever the sequence stands. */
const create = `
  INSERT INTO activity_log (type, data) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING RETURNING id`;

const lastStart = `
  SELECT data ->> 'started_at' AS started_at FROM activity_log WHERE type = '${heartbeat}'
  ORDER BY updated_at DESC, id DESC LIMIT 1`;

interface Row {
  readonly id: number;
  readonly created: boolean;
  /** When the processor had started as of its heartbeat before, in its own words. */
  readonly startedBefore: string | null;
}

async function createRow(client: pg.ClientBase, { type, data }: ActivityWrite): Promise<Row> {
  const before =
    type === heartbeat ? await client.query<{ started_at: string | null }>(lastStart) : undefined;
  for (;;) {
    const { rows } = await client.query<{ id: number }>(create, [type, data]);
    const [made] = rows;
    if (made) return { id: made.id, created: true, startedBefore: before?.rows[0]?.started_at ?? null };
  }
}

async function findAndUpdate(
  client: pg.ClientBase,
  id: number,
  { type, data }: ActivityWrite,
): Promise<Row | undefined> {
  const { rows } = await client.query<{ id: number; started_at: string | null }>(update, [id, type, data]);
  const [known] = rows;
  return known && { id: known.id, created: false, startedBefore: known.started_at };
}

async function writeRow(client: pg.ClientBase, activity: ActivityWrite): Promise<Row> {
  const { id, type, data } = activity;
  if (id === undefined) return createRow(client, activity);
  const known = await findAndUpdate(client, id, activity);
  if (known) return known;
  if (type !== heartbeat) throw new HubError('activity_not_found');
  const { rowCount } = await client.query(createUnderId, [id, type, data]);
  if (rowCount) return { id, created: true, startedBefore: null };
  // The same heartbeat at once from another connection: its row is there now.
  return (await findAndUpdate(client, id, activity)) ?? { id, created: false, startedBefore: null };
}

/** On the database; each row in one transaction with its event. */
export function createActivityLogStore({ pool, bell }: { pool: pg.Pool; bell: Bell }): ActivityLogStore {
  return {
    async write(activity) {
      const { type, data, requestId } = activity;
      const written = await inTransaction(pool, async (client, send) => {
        const { id, startedBefore, created } = await writeRow(client, activity);
        if (type === heartbeat) send(noteUptime(client));
        const commands = type === heartbeat ? await exchangeCommands(client, data, startedBefore) : undefined;
        const payload = { activity_id: id, type, reported_at: new Date().toISOString() };
        await writeOutbox(client, [outboxRow('hub.v1.processor.reported', 'processor', payload, requestId)]);
        return { id, created, commands };
      });
      bell.wake();
      return written;
    },
  };
}
