import type { HubActivityType } from '@birdhub/domain/activity';
import type { PrismaClient } from '@birdhub/shared/db';
import type { ErrorCode } from '@birdhub/shared/errors';

/** Who asked for a portion, and how the feeder is driven. */
export interface DispenseRequest {
  /** Role of who asked: `admin`, or `mcp` for an assistant. */
  readonly by: string;
  readonly source: string;
}

const given: HubActivityType = 'feed_dispense';
const failed: HubActivityType = 'feed_dispense_failed';

/** When a portion was last given, ms since the epoch. */
export async function findLastDispense({ activityLog }: PrismaClient): Promise<number | undefined> {
  const last = await activityLog.findFirst({ where: { type: given }, orderBy: { updatedAt: 'desc' } });
  return last?.updatedAt.getTime();
}

/** Takes down that a portion was given. */
export async function noteDispense(
  { activityLog }: PrismaClient,
  { by, source }: DispenseRequest,
  at: number,
): Promise<void> {
  const updatedAt = new Date(at);
  const data = { by, source, dispensed_at: updatedAt.toISOString(), ok: true };
  await activityLog.create({ data: { type: given, data, updatedAt } });
}

/** Takes down that a portion was asked for and why none was given; it does not count as one. */
export async function noteFailure(
  { activityLog }: PrismaClient,
  { by, source }: DispenseRequest,
  code: ErrorCode,
  at: number,
): Promise<void> {
  const data = { by, source, ok: false, code };
  await activityLog.create({ data: { type: failed, data, updatedAt: new Date(at) } });
}
