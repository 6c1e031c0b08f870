import { type Database, keyOf, lockNames, type Row } from '@birdhub/shared/db';
import type pg from 'pg';

/** A restart that the processor was asked for. */
export type RestartCommand = Pick<Row<'ProcessorCommand'>, 'id' | 'createdAt'>;

const maxWaitMs = 600_000;

const waitingSql = `
  SELECT id, created_at AS "createdAt" FROM processor_command
  WHERE type = 'restart' AND acked_at IS NULL AND expires_at > now() ORDER BY id LIMIT 1`;

/**
 * The restart that waits for the processor; undefined when it has done so, or ten minutes have passed. SQL, as every
 * hub asks at its start.
 */
export async function findWaitingRestart(
  client: Pick<pg.ClientBase, 'query'>,
): Promise<RestartCommand | undefined> {
  const { rows } = await client.query<RestartCommand>(waitingSql);
  return rows[0];
}

const beginAlone = `BEGIN; SELECT pg_advisory_xact_lock(${keyOf(lockNames.restart)})`;

/** Asks for a restart; who asks again while one waits gets that one, as the processor shall not restart twice. */
export function addRestart(
  { transaction }: Pick<Database, 'transaction'>,
  now: number,
): Promise<RestartCommand & { readonly isNew: boolean }> {
  return transaction(async ({ client, prisma }) => {
    const waiting = await findWaitingRestart(client);
    if (waiting) return { ...waiting, isNew: false };
    const data = { type: 'restart', createdAt: new Date(now), expiresAt: new Date(now + maxWaitMs) };
    return { ...(await prisma.processorCommand.create({ data })), isNew: true };
  }, beginAlone);
}
