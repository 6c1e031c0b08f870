import type { HubActivityType } from '@birdhub/domain/activity';
import { inTransaction } from '@birdhub/shared/db';
import type pg from 'pg';
import type { OldIds } from './old-hub.js';

/** The ids that rows of an old hub may keep. */
export interface ReservedIds {
  has(table: keyof OldIds, id: number | undefined): id is number;
}

interface Span {
  readonly after: number;
  readonly upTo: number;
}
type Spans = Readonly<Partial<Record<keyof OldIds, Span>>>;

const tables = ['video', 'detection', 'species', 'bird_food'] as const satisfies readonly (keyof OldIds)[];
const activity: HubActivityType = 'birdlense_import';

/** Reserves a span of ids in the sequence of a table. */
async function reserveSpan(
  client: pg.ClientBase,
  table: keyof OldIds,
  upTo: number,
): Promise<Span | undefined> {
  const sequence = `${table}_id_seq`;
  // Takes a lock on the sequence without changing it.
  await client.query(`ALTER SEQUENCE ${sequence} INCREMENT BY 1`);
  const { rows } = await client.query<{ after: number }>(
    `SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END AS after FROM ${sequence}`,
  );
  const after = rows[0]?.after ?? upTo;
  if (after >= upTo) return undefined;
  await client.query('SELECT setval($1::regclass, $2)', [sequence, upTo]);
  return { after, upTo };
}

/** Reserves ids that the hub has never assigned, including those that earlier imports reserved. */
export async function reserveIds(pool: pg.Pool, wanted: OldIds): Promise<ReservedIds> {
  await inTransaction(pool, async (client) => {
    const spans: [keyof OldIds, Span][] = [];
    for (const table of tables) {
      const span = await reserveSpan(client, table, wanted[table]);
      if (span) spans.push([table, span]);
    }
    if (!spans.length) return;
    const data = JSON.stringify({ reserved_ids: Object.fromEntries(spans) });
    await client.query('INSERT INTO activity_log (type, data) VALUES ($1, $2)', [activity, data]);
  });
  const { rows } = await pool.query<{ spans: Spans }>(
    `SELECT data -> 'reserved_ids' AS spans FROM activity_log WHERE type = $1`,
    [activity],
  );
  const isIn = (span: Span | undefined, id: number) =>
    span !== undefined && id > span.after && id <= span.upTo;
  return {
    has: (table, id): id is number => id !== undefined && rows.some(({ spans }) => isIn(spans[table], id)),
  };
}
