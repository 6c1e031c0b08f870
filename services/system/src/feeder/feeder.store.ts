import type { HubActivityType } from '@birdhub/domain/activity';
import type { PrismaClient } from '@birdhub/shared/db';
import type { ErrorCode } from '@birdhub/shared/errors';
import type pg from 'pg';
import type { FeederDevice } from './feeder-driver.js';

/** The author of a request for a portion. */
export interface DispenseAuthor {
  /** Role of the caller: `admin`, `mcp` for an assistant, or `feeder` for a token with that scope. */
  readonly by: string;
  /** The name of the access token of the request. */
  readonly token?: string | undefined;
}

/** The author of a request for a portion, and the kind of feeder. */
export interface DispenseRequest extends DispenseAuthor {
  readonly source: string;
}

const dispensed: HubActivityType = 'feed_dispense';
const failed: HubActivityType = 'feed_dispense_failed';

/** Why a portion was not dispensed. */
export interface DispenseFailure {
  readonly code: ErrorCode;
  readonly mayHaveOpened: boolean;
}

/**
 * Returns when a portion was last dispensed, or may have been, after one instant and until another; all in ms since the
 * epoch.
 */
export async function findLastPortion(
  { activityLog }: PrismaClient,
  after: number,
  until: number,
): Promise<number | undefined> {
  const perhaps = { type: failed, data: { path: ['may_have_opened'], equals: true } };
  const last = await activityLog.findFirst({
    where: { updatedAt: { gt: new Date(after), lte: new Date(until) }, OR: [{ type: dispensed }, perhaps] },
    orderBy: { updatedAt: 'desc' },
  });
  return last?.updatedAt.getTime();
}

/**
 * Logs a portion before its command is sent, as one that may have been dispensed, so that it counts even if the process
 * is killed. Returns the id of the entry, which the outcome replaces.
 */
export async function logAttempt(
  { activityLog }: PrismaClient,
  request: DispenseRequest,
  at: number,
): Promise<number> {
  const entry = failureEntry(request, { code: 'upstream_timeout', mayHaveOpened: true }, at);
  return (await activityLog.create({ data: entry, select: { id: true } })).id;
}

/** Replaces the entry of an attempt by that of a dispensed portion. */
export async function logDispense(
  { activityLog }: PrismaClient,
  attemptId: number,
  request: DispenseRequest,
  at: number,
): Promise<void> {
  const updatedAt = new Date(at);
  const data = { ...describeRequest(request), dispensed_at: updatedAt.toISOString(), ok: true };
  await activityLog.update({ where: { id: attemptId }, data: { type: dispensed, data, updatedAt } });
}

/** Logs why a requested portion was not dispensed, in the entry of its attempt if there was one. */
export async function logFailure(
  { activityLog }: PrismaClient,
  request: DispenseRequest,
  failure: DispenseFailure,
  at: number,
  attemptId?: number,
): Promise<void> {
  const data = failureEntry(request, failure, at);
  if (attemptId === undefined) await activityLog.create({ data });
  else await activityLog.update({ where: { id: attemptId }, data });
}

function failureEntry(request: DispenseRequest, { code, mayHaveOpened }: DispenseFailure, at: number) {
  const data = {
    ...describeRequest(request),
    ok: false,
    code,
    ...(mayHaveOpened && { may_have_opened: true }),
  };
  return { type: failed, data, updatedAt: new Date(at) };
}

function describeRequest({ by, token, source }: DispenseRequest) {
  return { by, ...(token !== undefined && { token }), source };
}

/** Records that a feeder may be open. Returns the id of the record. */
export async function addOpenFeeder({ openFeeder }: PrismaClient, device: FeederDevice): Promise<number> {
  return (await openFeeder.create({ data: { device }, select: { id: true } })).id;
}

/** Returns the distinct feeders that may be open. Plain SQL, as it runs at each start. */
export async function listOpenFeeders(pool: pg.Pool): Promise<FeederDevice[]> {
  const { rows } = await pool.query<{ device: FeederDevice }>({
    name: 'open-feeders',
    text: 'SELECT DISTINCT device FROM open_feeder',
  });
  return rows.map(({ device }) => device);
}

/** Records that a feeder was not opened; those of earlier portions may still be open. */
export async function removeUnopenedFeeder({ openFeeder }: PrismaClient, id: number): Promise<void> {
  // None is left if all of them were closed meanwhile.
  await openFeeder.deleteMany({ where: { id } });
}

/** Records that a feeder is closed. */
export async function removeOpenFeeder({ openFeeder }: PrismaClient, device: FeederDevice): Promise<void> {
  await openFeeder.deleteMany({ where: { device: { equals: device } } });
}
