import type pg from 'pg';

/** What an unlocked browser may do. */
export type SessionRole = 'admin' | 'contributor';

/** Locks every browser that was unlocked with the password of a role, in the transaction that changes the password. */
export async function endSessionsOf(client: pg.ClientBase, role: SessionRole): Promise<void> {
  await client.query('DELETE FROM session WHERE role = $1', [role]);
}
