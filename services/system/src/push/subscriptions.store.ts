import { inTransaction } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import type pg from 'pg';
import type { Subscription } from './check-subscription.js';

/** Most subscriptions of a hub: each costs a request for every message. */
const mostSubscriptions = 50;

const beginAlone = `BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('birdhub.subscriptions', 0))`;

const renewSql = 'UPDATE push_subscription SET p256dh = $2, auth = $3 WHERE endpoint = $1';

const addSql = `
  INSERT INTO push_subscription (endpoint, p256dh, auth)
  SELECT $1, $2, $3 WHERE (SELECT count(*) FROM push_subscription) < $4`;

/**
 * Keeps a subscription, with the keys that it has now; answers whether it is new.
 * @throws HubError too_many_subscriptions
 */
export async function addSubscription(pool: pg.Pool, subscription: Subscription): Promise<boolean> {
  const { endpoint, p256dh, auth } = subscription;
  return inTransaction(
    pool,
    async (client) => {
      const renewed = await client.query(renewSql, [endpoint, p256dh, auth]);
      if (renewed.rowCount) return false;
      const added = await client.query(addSql, [endpoint, p256dh, auth, mostSubscriptions]);
      if (!added.rowCount) throw new HubError('too_many_subscriptions');
      return true;
    },
    beginAlone,
  );
}

/** Forgets a subscription; one that is not known is forgotten already. */
export async function removeSubscription(pool: pg.Pool, endpoint: string): Promise<void> {
  await pool.query('DELETE FROM push_subscription WHERE endpoint = $1', [endpoint]);
}

/** Undefined when it is gone. */
export async function findSubscription(pool: pg.Pool, id: string): Promise<Subscription | undefined> {
  const { rows } = await pool.query<Subscription>(
    'SELECT endpoint, p256dh, auth FROM push_subscription WHERE id = $1',
    [id],
  );
  return rows[0];
}

/** The ids of all subscriptions, the oldest first. */
export async function listSubscriptionIds(client: Pick<pg.ClientBase, 'query'>): Promise<string[]> {
  const { rows } = await client.query<{ id: number }>('SELECT id FROM push_subscription ORDER BY id');
  return rows.map(({ id }) => String(id));
}

/** Notes how the push service of a subscription took a message. */
export async function noteOutcome(pool: pg.Pool, endpoint: string, isTaken: boolean): Promise<void> {
  const text = isTaken
    ? 'UPDATE push_subscription SET last_ok_at = now(), failures = 0 WHERE endpoint = $1'
    : 'UPDATE push_subscription SET failures = failures + 1 WHERE endpoint = $1';
  await pool.query(text, [endpoint]);
}
