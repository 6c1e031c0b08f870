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

/** A subscription to be stored. */
export interface NewSubscription extends Subscription {
  /** The client address of a caller who is not unlocked; null for others. */
  readonly address: string | null;
}

/** Maximum subscriptions, as each costs a request for every message. */
const maxSubscriptions = 50;
/** Maximum subscriptions of one client address that were made without unlocking. */
const maxPerAddress = 5;

/** Consecutive failures after which a subscription that never received a message is removed. */
const maxFailuresIfNew = 10;
/** Consecutive failures after which one that received messages before is removed, if the last was this long ago. */
const maxFailures = 20;
const maxSilenceMs = 7 * dayMs;
/** Consecutive failures after which one that never received a message may be replaced when the limit is reached. */
const minFailuresToReplace = 3;

const beginWithLock = `BEGIN; SELECT pg_advisory_xact_lock(${keyOf(lockNames.subscriptions)})`;

/** Other keys mean a new subscription, so failures are reset. The address is kept unless the caller is unlocked. */
async function renew(
  { pushSubscription }: PrismaClient,
  { endpoint, p256dh, auth, address }: NewSubscription,
): Promise<boolean> {
  const known = await pushSubscription.findUnique({ where: { endpoint } });
  if (!known) return false;
  const isSame = known.p256dh === p256dh && known.auth === auth;
  const data = { ...(!isSame && { p256dh, auth, failures: 0 }), ...(address === null && { address }) };
  await pushSubscription.update({ where: { endpoint }, data });
  return true;
}

/** Returns whether another subscription may be added. */
async function makeRoom({ pushSubscription }: PrismaClient, address: string | null): Promise<boolean> {
  const ofAddress = address === null ? 0 : await pushSubscription.count({ where: { address } });
  const isFull = (await pushSubscription.count()) >= maxSubscriptions;
  if (!isFull && ofAddress < maxPerAddress) return true;
  const replaced =
    (await pushSubscription.findFirst({
      where: {
        ...(ofAddress >= maxPerAddress && { address }),
        lastOkAt: null,
        failures: { gte: minFailuresToReplace },
      },
      orderBy: [{ failures: 'desc' }, { id: 'asc' }],
    })) ??
    (address === null &&
      (await pushSubscription.findFirst({ where: { address: { not: null } }, orderBy: { id: 'asc' } })));
  if (!replaced) return false;
  await pushSubscription.delete({ where: { id: replaced.id } });
  return true;
}

/**
 * Stores a subscription with its current keys. Returns whether it is new. At a limit it replaces one that failed
 * several times and never received a message; that of an unlocked caller also replaces the oldest one made without
 * unlocking.
 * @throws HubError too_many_subscriptions
 */
export function addSubscription(
  { transaction }: Pick<Database, 'transaction'>,
  { endpoint, p256dh, auth, address }: NewSubscription,
): Promise<boolean> {
  return transaction(async ({ prisma }) => {
    if (await renew(prisma, { endpoint, p256dh, auth, address })) return false;
    if (!(await makeRoom(prisma, address))) throw new HubError('too_many_subscriptions');
    await prisma.pushSubscription.create({ data: { endpoint, p256dh, auth, address } });
    return true;
  }, beginWithLock);
}

/** Returns all subscriptions, oldest first. */
export async function listSubscriptions({ pushSubscription }: PrismaClient) {
  return pushSubscription.findMany({ orderBy: { id: 'asc' } });
}

/** Deletes a subscription if there is one. */
export async function removeSubscription(
  prisma: PrismaClient,
  where: { readonly endpoint: string } | { readonly id: number },
): Promise<void> {
  await prisma.pushSubscription.deleteMany({ where });
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
