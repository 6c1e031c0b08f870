import { createLoop, type Loop } from '@birdhub/shared/async';
import { HubError } from '@birdhub/shared/errors';
import { type CommitDeps, commit, outboxRow } from '@birdhub/shared/outbox';
import { type Clock, formatInstant } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';

/** A row as posted; `data` is JSON text. */
export interface ActivityWrite {
  readonly type: string;
  readonly data: string;
  readonly id: number | undefined;
  readonly requestId: string;
  /** The name of the access token of the request. */
  readonly tokenName: string | undefined;
  /** Whether that token is limited to some cameras, and may therefore only update rows that it has written. */
  readonly isLimited: boolean;
}

/** A stored row; `commands` only for a heartbeat. */
export interface ActivityWritten {
  readonly id: number;
  readonly created: boolean;
  readonly commands: readonly WaitingCommand[] | undefined;
}

/** A command to a processor. */
export interface WaitingCommand {
  readonly id: number;
  readonly type: string;
}

/** The type of heartbeats. */
export const heartbeat = 'heartbeat';

/** The activity log of processors, and the commands that are returned to heartbeats. */
export class ActivityLogStore {
  readonly #deps: CommitDeps & { readonly clock: Clock };
  /** Runs when woken. */
  readonly #deleting: Loop;
  #writes = 0;

  constructor({ log, ...deps }: CommitDeps & { readonly clock: Clock; readonly log: Logger }) {
    this.#deps = deps;
    this.#deleting = createLoop({
      work: () => deleteSurplus(deps.pool),
      everyMs: Number.POSITIVE_INFINITY,
      onError: (error) => log.warn({ err: error }, 'surplus rows of processors not deleted'),
    });
  }

  /** Resolves when no rows are being deleted any more. */
  stop(): Promise<void> {
    return this.#deleting.stop();
  }

  /** Writes a row and its event in one transaction. @throws HubError activity_not_found */
  async write(activity: ActivityWrite): Promise<ActivityWritten> {
    const { type, data, requestId } = activity;
    if (this.#writes++ % writesPerCheck === 0) this.#deleting.wake();
    return commit(this.#deps, async ({ client, send, publish }) => {
      const { id, startedBefore, created } = await writeRow(client, activity);
      if (type === heartbeat) send(noteUptime(client));
      const commands = type === heartbeat ? await exchangeCommands(client, data, startedBefore) : undefined;
      const payload = { activity_id: id, type, reported_at: formatInstant(this.#deps.clock.now()) };
      publish(outboxRow('hub.v1.processor.reported', 'processor', payload, requestId));
      return { id, created, commands };
    });
  }

  /** Returns the id of the latest heartbeat of a camera that reports by MQTT. */
  async findMqttHeartbeat(camera: string): Promise<number | undefined> {
    const { rows } = await this.#deps.pool.query<{ id: number }>(findMqttSql, [camera]);
    return rows[0]?.id;
  }

  /** Marks a heartbeat as stale, when a processor reports that it stops. */
  async setOffline(id: number, requestId: string): Promise<void> {
    await commit(this.#deps, async ({ client, publish }) => {
      await client.query(setOfflineSql, [id]);
      const payload = {
        activity_id: id,
        type: heartbeat,
        reported_at: formatInstant(this.#deps.clock.now()),
      };
      publish(outboxRow('hub.v1.processor.reported', 'processor', payload, requestId));
    });
  }
}

/** Limits of heartbeats, and of the other rows of processors. */
const maxRows = 50_000;
const maxBytes = 128 * 1024 * 1024;
/** The limits may be exceeded by this number of writes in each process. */
const writesPerCheck = 100;

/**
 * Deletes the oldest rows beyond the limits, some thousand at a time. Reads the newest rows and those to be deleted only.
 * Rows that are being written are skipped.
 */
const surplusSql = (table: string) => `
  WITH newest AS (SELECT updated_at, data FROM ${table} ORDER BY updated_at DESC LIMIT ${maxRows}),
    sized AS (
      SELECT updated_at,
        sum(pg_column_size(data)) OVER (ORDER BY updated_at DESC ROWS UNBOUNDED PRECEDING) AS bytes
      FROM newest)
  DELETE FROM ${table} WHERE id IN (
    SELECT id FROM ${table} WHERE updated_at < (SELECT min(updated_at) FROM sized WHERE bytes <= ${maxBytes})
    ORDER BY updated_at LIMIT 5000 FOR UPDATE SKIP LOCKED)`;

async function deleteSurplus(pool: pg.Pool): Promise<void> {
  for (const table of ['processor_heartbeat', 'processor_activity']) await pool.query(surplusSql(table));
}

/** The heartbeats among which that of a processor without an id is looked for, so that its cost is limited. */
const newestHeartbeats = `(
  SELECT id, data, token_name, updated_at FROM processor_heartbeat ORDER BY updated_at DESC, id DESC LIMIT 500) recent`;

const findMqttSql = `
  SELECT id FROM ${newestHeartbeats} WHERE data ->> 'mqtt_camera' = $1 ORDER BY updated_at DESC, id DESC LIMIT 1`;

/**
 * The status of the hub is that of the newest heartbeat, so an offline one is backdated: those of other processors must
 * be newer.
 */
const setOfflineSql = `
  UPDATE processor_heartbeat SET data = data || jsonb_build_object('state', 'offline', 'offline_at', now()),
    updated_at = least(updated_at, now() - interval '5 minutes')
  WHERE id = $1`;

const startOf = (data: string) => `${data} ->> 'started_at'`;

/** Identifies processors that send heartbeats without an id. */
const processorOf = (data: string, token: string) =>
  `ARRAY[${token}, ${data} ->> 'camera_id', ${data} ->> 'mqtt_camera', ${data} ->> 'host']`;

/** Heartbeats and other rows have separate tables, so that their ids cannot be confused. */
const statements = {
  heartbeat: {
    update: `
      UPDATE processor_heartbeat AS row SET data = $2, token_name = $3, updated_at = now()
      FROM (SELECT id, ${startOf('data')} AS started_at FROM processor_heartbeat
        WHERE id = $1 AND (NOT $4 OR token_name = $3) FOR UPDATE) AS old
      WHERE row.id = old.id RETURNING row.id, old.started_at AS "startedBefore"`,
    create: `
      INSERT INTO processor_heartbeat (data, token_name) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING
      RETURNING id, (
        SELECT ${startOf('data')} FROM ${newestHeartbeats}
        WHERE ${processorOf('data', 'token_name')} = ${processorOf('$1::jsonb', '$2::text')}
        ORDER BY updated_at DESC, id DESC LIMIT 1) AS "startedBefore"`,
  },
  other: {
    update: `
      UPDATE processor_activity SET data = $2, token_name = $3, type = $5, updated_at = now()
      WHERE id = $1 AND (NOT $4 OR token_name = $3)
      RETURNING id, NULL AS "startedBefore"`,
    create: `
      INSERT INTO processor_activity (data, token_name, type) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING
      RETURNING id, NULL AS "startedBefore"`,
  },
} as const;

/** Moves the sequence to the end of a block of ids that were taken by heartbeats with a client-supplied id. */
const skipTakenSql = `
  SELECT setval('processor_heartbeat_id_seq', (
    SELECT id FROM processor_heartbeat taken
    WHERE id >= (SELECT last_value FROM processor_heartbeat_id_seq)
      AND NOT EXISTS (SELECT FROM processor_heartbeat WHERE id = taken.id + 1)
    ORDER BY id LIMIT 1))`;

const createWithId = `
  INSERT INTO processor_heartbeat (id, data, token_name) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING RETURNING id`;

interface Row {
  readonly id: number;
  /** `started_at` of the processor's previous heartbeat. */
  readonly startedBefore: string | null;
}

type Written = Row & { readonly created: boolean };

async function writeRow(client: pg.ClientBase, activity: ActivityWrite): Promise<Written> {
  const { id, type, data, tokenName } = activity;
  if (id === undefined) return createRow(client, activity);
  const known = await findAndUpdate(client, id, activity);
  if (known) return known;
  if (type !== heartbeat) throw new HubError('activity_not_found');
  const { rowCount } = await client.query(createWithId, [id, data, tokenName]);
  if (rowCount) return { id, created: true, startedBefore: null };
  // Another connection created the same heartbeat concurrently, or the id is that of another processor.
  return (await findAndUpdate(client, id, activity)) ?? createRow(client, activity);
}

async function findAndUpdate(
  client: pg.ClientBase,
  id: number,
  { type, data, tokenName, isLimited }: ActivityWrite,
): Promise<Written | undefined> {
  const values = [id, data, tokenName, isLimited];
  const { rows } =
    type === heartbeat
      ? await client.query<Row>(statements.heartbeat.update, values)
      : await client.query<Row>(statements.other.update, [...values, type]);
  const [known] = rows;
  return known && { ...known, created: false };
}

async function createRow(client: pg.ClientBase, { type, data, tokenName }: ActivityWrite): Promise<Written> {
  for (;;) {
    const { rows } =
      type === heartbeat
        ? await client.query<Row>(statements.heartbeat.create, [data, tokenName])
        : await client.query<Row>(statements.other.create, [data, tokenName, type]);
    const [row] = rows;
    if (row) return { ...row, created: true };
    if (type === heartbeat) await client.query(skipTakenSql);
  }
}

/**
 * Extends the current uptime range, at most every ten seconds as heartbeats may be frequent, or starts a new one after
 * five minutes without a heartbeat.
 */
const noteUptimeSql = `
  WITH newest AS (
    SELECT started_at, ended_at, ended_at >= now() - interval '5 minutes' AS lasts
    FROM processor_uptime ORDER BY started_at DESC LIMIT 1
  ), extended AS (
    UPDATE processor_uptime SET ended_at = greatest(processor_uptime.ended_at, now()) FROM newest
    WHERE processor_uptime.started_at = newest.started_at AND lasts
      AND newest.ended_at < now() - interval '10 seconds'
  )
  INSERT INTO processor_uptime (started_at, ended_at)
  SELECT now(), now() WHERE NOT EXISTS (SELECT FROM newest WHERE lasts) ON CONFLICT DO NOTHING`;

async function noteUptime(client: pg.ClientBase): Promise<void> {
  await client.query({ name: 'note-uptime', text: noteUptimeSql });
}

/** Acknowledges the commands named by a heartbeat, and restart commands when `started_at` has changed. */
const acknowledgeSql = `
  UPDATE processor_command SET acked_at = now()
  WHERE acked_at IS NULL AND (
    to_jsonb(id) <@ CASE jsonb_typeof($1::jsonb -> 'acked_commands') WHEN 'array' THEN $1::jsonb -> 'acked_commands' ELSE '[]' END
    OR (type = 'restart' AND $1::jsonb ->> 'started_at' <> $2))`;

const listWaitingSql =
  'SELECT id, type FROM processor_command WHERE acked_at IS NULL AND expires_at > now() ORDER BY id';

/** Stores the acknowledgements of a heartbeat, and returns the pending commands. */
async function exchangeCommands(
  client: pg.ClientBase,
  data: string,
  startedBefore: string | null,
): Promise<WaitingCommand[]> {
  await client.query(acknowledgeSql, [data, startedBefore]);
  return (await client.query<WaitingCommand>(listWaitingSql)).rows;
}
