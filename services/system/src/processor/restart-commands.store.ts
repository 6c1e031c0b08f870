import { inTransaction } from '@birdhub/shared/db';
import type pg from 'pg';

/** A restart that the processor was asked for. */
export interface RestartCommand {
  readonly id: number;
  /** ms since the epoch */
  readonly requestedAt: number;
}

const waitingSql = `
  SELECT id, created_at FROM processor_command
  WHERE type = 'restart' AND acked_at IS NULL AND expires_at > now() ORDER BY id LIMIT 1`;

const addSql = `
  INSERT INTO processor_command (type, expires_at) VALUES ('restart', now() + interval '10 minutes')
  RETURNING id, created_at`;

interface Row {
  readonly id: number;
  readonly created_at: Date;
}

const toCommand = ({ id, created_at }: Row): RestartCommand => ({ id, requestedAt: created_at.getTime() });

/** The restart that waits for the processor; undefined when it has done so, or ten minutes have passed. */
export async function findWaitingRestart(
  client: Pick<pg.ClientBase, 'query'>,
): Promise<RestartCommand | undefined> {
  const { rows } = await client.query<Row>(waitingSql);
  return rows[0] && toCommand(rows[0]);
}

const beginAlone = `BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('birdhub.restart', 0))`;

/** Asks for a restart; who asks again while one waits gets that one, as the processor shall not restart twice. */
export async function addRestart(pool: pg.Pool): Promise<RestartCommand & { readonly isNew: boolean }> {
  return inTransaction(
    pool,
    async (client) => {
      const waiting = await findWaitingRestart(client);
      if (waiting) return { ...waiting, isNew: false };
      const { rows } = await client.query<Row>(addSql);
      const [row] = rows;
      if (!row) throw new Error('no command was stored');
      return { ...toCommand(row), isNew: true };
    },
    beginAlone,
  );
}
