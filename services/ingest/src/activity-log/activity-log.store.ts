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

/** The log of processors, and the commands that heartbeats carry to a processor. */
export interface ActivityLogStore {
  /** @throws HubError activity_not_found */
  write(activity: ActivityWrite): Promise<ActivityWritten>;
}

const heartbeat = 'heartbeat';

const startOf = (data: string) => `${data} ->> 'started_at'`;

/** Heartbeats and other rows have tables of their own, so that an id of the one never names a row of the other. */
const statements = {
  heartbeat: {
    update: `
      UPDATE processor_heartbeat AS row SET data = $2, updated_at = now()
      FROM (SELECT id, ${startOf('data')} AS started_at FROM processor_heartbeat WHERE id = $1 FOR UPDATE) AS old
      WHERE row.id = old.id RETURNING row.id, old.started_at AS "startedBefore"`,
    /** An id that a heartbeat was made again under is passed over, wherever the sequence stands. */
    create: `
      INSERT INTO processor_heartbeat (data) VALUES ($1) ON CONFLICT (id) DO NOTHING
      RETURNING id, (SELECT ${startOf('data')} FROM processor_heartbeat ORDER BY updated_at DESC, id DESC LIMIT 1)
        AS "startedBefore"`,
  },
  other: {
    update: `
      UPDATE processor_activity SET data = $2, type = $3, updated_at = now() WHERE id = $1
      RETURNING id, NULL AS "startedBefore"`,
    create: `
      INSERT INTO processor_activity (data, type) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING
      RETURNING id, NULL AS "startedBefore"`,
  },
} as const;

const createUnderId = `
  INSERT INTO processor_heartbeat (id, data) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING RETURNING id`;

interface Row {
  readonly id: number;
  /** When the processor had started as of its heartbeat before, in its own words. */
  readonly startedBefore: string | null;
}

type Written = Row & { readonly created: boolean };

async function createRow(client: pg.ClientBase, { type, data }: ActivityWrite): Promise<Written> {
  for (;;) {
    const { rows } =
      type === heartbeat
        ? await client.query<Row>(statements.heartbeat.create, [data])
        : await client.query<Row>(statements.other.create, [data, type]);
    const [made] = rows;
    if (made) return { ...made, created: true };
  }
}

async function findAndUpdate(
  client: pg.ClientBase,
  id: number,
  { type, data }: ActivityWrite,
): Promise<Written | undefined> {
  const { rows } =
    type === heartbeat
      ? await client.query<Row>(statements.heartbeat.update, [id, data])
      : await client.query<Row>(statements.other.update, [id, data, type]);
  const [known] = rows;
  return known && { ...known, created: false };
}

async function writeRow(client: pg.ClientBase, activity: ActivityWrite): Promise<Written> {
  const { id, type, data } = activity;
  if (id === undefined) return createRow(client, activity);
  const known = await findAndUpdate(client, id, activity);
  if (known) return known;
  if (type !== heartbeat) throw new HubError('activity_not_found');
  const { rowCount } = await client.query(createUnderId, [id, data]);
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
