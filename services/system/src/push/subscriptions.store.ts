import { type Database, keyOf, lockNames, type PrismaClient } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import type pg from 'pg';
import type { Subscription } from './check-subscription.js';

/** Most subscriptions of a hub: each costs a request for every message. */
const maxSubscriptions = 50;

/** Failures in a row, with no message ever taken: nobody seems to be there. */
const maxFailuresOfNew = 10;
/** Failures in a row of one that took messages before, and for how long it has taken none. */
const maxFailures = 20;
const maxAwayMs = 7 * 86_400_000;
/** Failures in a row after which one that never took a message gives way to a new one when all places are taken. */
const failuresToGiveWay = 3;

const beginAlone = `BEGIN; SELECT pg_advisory_xact_lock(${keyOf(lockNames.subscriptions)})`;

/** With other keys it is another browser, or the same one that begins anew. */
async function renew(prisma: PrismaClient, { endpoint, p256dh, auth }: Subscription): Promise<boolean> {
  const isSame = await prisma.pushSubscription.findUnique({ where: { endpoint, p256dh, auth } });
  if (isSame) return true;
  const data = { p256dh, auth, failures: 0 };
  return (await prisma.pushSubscription.updateMany({ where: { endpoint }, data })).count > 0;
}

/** Returns whether there is a place for one more. */
async function makeRoom(prisma: PrismaClient): Promise<boolean> {
  if ((await prisma.pushSubscription.count()) < maxSubscriptions) return true;
  const worst = await prisma.pushSubscription.findFirst({
    where: { lastOkAt: null, failures: { gte: failuresToGiveWay } },
    orderBy: [{ failures: 'desc' }, { id: 'asc' }],
  });
  if (!worst) return false;
  await prisma.pushSubscription.deleteMany({ where: { id: worst.id } });
  return true;
}

/**
 * Keeps a subscription, with the keys that it has now; returns whether it is new. When all places are taken, one that
 * failed several times and never took a message gives way.
 * @throws HubError too_many_subscriptions
 */
export function addSubscription(
  { transaction }: Pick<Database, 'transaction'>,
  { endpoint, p256dh, auth }: Subscription,
): Promise<boolean> {
  return transaction(async ({ prisma }) => {
    if (await renew(prisma, { endpoint, p256dh, auth })) return false;
    if (!(await makeRoom(prisma))) throw new HubError('too_many_subscriptions');
    await prisma.pushSubscription.create({ data: { endpoint, p256dh, auth } });
    return true;
  }, beginAlone);
}

/** Deletes a subscription; one that is not known is deleted already. */
export async function removeSubscription(prisma: PrismaClient, endpoint: string): Promise<void> {
  await prisma.pushSubscription.deleteMany({ where: { endpoint } });
}

/** Undefined when it is gone. */
export async function findSubscription(prisma: PrismaClient, id: string): Promise<Subscription | undefined> {
  return (await prisma.pushSubscription.findUnique({ where: { id: Number(id) } })) ?? undefined;
}

/** The ids of all subscriptions, the oldest first. SQL, as it runs for each visit. */
export async function listSubscriptionIds(client: Pick<pg.ClientBase, 'query'>): Promise<string[]> {
  const { rows } = await client.query<{ id: number }>('SELECT id FROM push_subscription ORDER BY id');
  return rows.map(({ id }) => String(id));
}

/** How the push service of a subscription took a message. */
export interface PushOutcome {
  readonly endpoint: string;
  readonly isTaken: boolean;
  /** ms since the epoch */
  readonly at: number;
}

/** Notes an outcome. Returns whether the subscription was removed, as it failed too often. */
export async function noteOutcome(
  { pushSubscription }: PrismaClient,
  { endpoint, isTaken, at }: PushOutcome,
): Promise<boolean> {
  const data = isTaken ? { lastOkAt: new Date(at), failures: 0 } : { failures: { increment: 1 } };
  await pushSubscription.updateMany({ where: { endpoint }, data });
  if (isTaken) return false;
  const isDead = [
    { lastOkAt: null, failures: { gte: maxFailuresOfNew } },
    { lastOkAt: { lt: new Date(at - maxAwayMs) }, failures: { gte: maxFailures } },
  ];
  return (await pushSubscription.deleteMany({ where: { endpoint, OR: isDead } })).count > 0;
}
