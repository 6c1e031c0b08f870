import { type Database, keyOf, lockNames, type PrismaClient } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import { dayMs } from '@birdhub/shared/time';
import type pg from 'pg';

/** A browser's subscription: the endpoint at its push service and its keys, in base64url. */
export interface Subscription {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** Maximum subscriptions, as each costs a request for every message. */
const maxSubscriptions = 50;

/** Consecutive failures after which a subscription that never received a message is removed. */
const maxFailuresIfNew = 10;
/** Consecutive failures after which one that received messages before is removed, if the last was this long ago. */
const maxFailures = 20;
const maxSilenceMs = 7 * dayMs;
/** Consecutive failures after which one that never received a message may be replaced when the limit is reached. */
const minFailuresToReplace = 3;

const beginWithLock = `BEGIN; SELECT pg_advisory_xact_lock(${keyOf(lockNames.subscriptions)})`;

/** Other keys mean a new subscription, so failures are reset. */
async function renew(prisma: PrismaClient, { endpoint, p256dh, auth }: Subscription): Promise<boolean> {
  const isSame = await prisma.pushSubscription.findUnique({ where: { endpoint, p256dh, auth } });
  if (isSame) return true;
  const data = { p256dh, auth, failures: 0 };
  return (await prisma.pushSubscription.updateMany({ where: { endpoint }, data })).count > 0;
}

/** Returns whether another subscription may be added. */
async function makeRoom(prisma: PrismaClient): Promise<boolean> {
  if ((await prisma.pushSubscription.count()) < maxSubscriptions) return true;
  const worst = await prisma.pushSubscription.findFirst({
    where: { lastOkAt: null, failures: { gte: minFailuresToReplace } },
    orderBy: [{ failures: 'desc' }, { id: 'asc' }],
  });
  if (!worst) return false;
  await prisma.pushSubscription.deleteMany({ where: { id: worst.id } });
  return true;
}

/**
 * Stores a subscription with its current keys. Returns whether it is new. At the limit it replaces one that failed
 * several times and never received a message.
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
  }, beginWithLock);
}

/** Deletes a subscription if there is one. */
export async function removeSubscription(prisma: PrismaClient, endpoint: string): Promise<void> {
  await prisma.pushSubscription.deleteMany({ where: { endpoint } });
}

/** Returns undefined when it does not exist. */
export async function findSubscription(prisma: PrismaClient, id: string): Promise<Subscription | undefined> {
  return (await prisma.pushSubscription.findUnique({ where: { id: Number(id) } })) ?? undefined;
}

/** Returns the ids of all subscriptions, oldest first. Plain SQL, as it runs for each visit. */
export async function listSubscriptionIds(client: Pick<pg.ClientBase, 'query'>): Promise<string[]> {
  const { rows } = await client.query<{ id: number }>('SELECT id FROM push_subscription ORDER BY id');
  return rows.map(({ id }) => String(id));
}

/** The result of a message to a subscription. */
export interface PushOutcome {
  readonly endpoint: string;
  readonly isTaken: boolean;
  /** ms since the epoch */
  readonly at: number;
}

/** Records a result. Returns whether the subscription was removed because it failed too often. */
export async function recordOutcome(
  { pushSubscription }: PrismaClient,
  { endpoint, isTaken, at }: PushOutcome,
): Promise<boolean> {
  const data = isTaken ? { lastOkAt: new Date(at), failures: 0 } : { failures: { increment: 1 } };
  await pushSubscription.updateMany({ where: { endpoint }, data });
  if (isTaken) return false;
  const isDead = [
    { lastOkAt: null, failures: { gte: maxFailuresIfNew } },
    { lastOkAt: { lt: new Date(at - maxSilenceMs) }, failures: { gte: maxFailures } },
  ];
  return (await pushSubscription.deleteMany({ where: { endpoint, OR: isDead } })).count > 0;
}
