import { inTransaction } from '@birdhub/shared/db';
import { msSql } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Message } from '../channels/index.js';
import {
  addNotification,
  channelsOf,
  listTaken,
  lockMessages,
  type MessageChannel,
  type MessageChannels,
} from './messages.store.js';

/** A message about a visit that was invalidated by a correction. */
export interface OutdatedMessage {
  readonly id: number;
  readonly ruleId: number;
  readonly channelIds: readonly number[];
  readonly message: Message;
  /** ms since the epoch */
  readonly about: number;
}

/** Messages older than this are not corrected. */
const correctableDays = 7;

const outdatedSql = `
  UPDATE notification SET corrected_at = $2 WHERE visit_id = ANY ($1) AND rule_id IS NOT NULL AND corrected_at IS NULL
    AND created_at > $2::timestamptz - interval '${correctableDays} days' AND species_id IS NOT NULL
    AND message_key NOT LIKE 'correction:%'
    AND NOT EXISTS (SELECT FROM species_visit visit WHERE visit.id = visit_id AND visit.species_id = notification.species_id)
  RETURNING id, rule_id AS "ruleId", channel_ids AS "channelIds", message, ${msSql('about')} AS about`;

/** The context of a correction. */
interface CorrectionDecision {
  readonly visitIds: readonly number[];
  /** ms since the epoch */
  readonly now: number;
  /** The new visit of the detections, and its species. */
  readonly visitId: number | null;
  readonly speciesId: number;
  readonly speciesKey: string;
  readonly channels: readonly MessageChannel[];
  readonly expiresAt: number;
  /** Returns undefined when the rule does not send corrections. */
  messageOf(outdated: OutdatedMessage): Message | undefined;
}

/**
 * Marks the messages that a correction invalidated, and queues corrections if their rules send any. A message is marked
 * once, so that it is corrected at most once. Returns whether one was queued.
 */
export function queueCorrections(
  pool: pg.Pool,
  channels: Pick<MessageChannels, 'enqueue'>,
  decision: CorrectionDecision,
): Promise<boolean> {
  const { now, visitIds, visitId, speciesId, speciesKey, expiresAt } = decision;
  return inTransaction(pool, async (client) => {
    await lockMessages(client, speciesKey);
    const { rows } = await client.query<OutdatedMessage>(outdatedSql, [visitIds, new Date(now)]);
    let isQueued = false;
    for (const outdated of rows) {
      const message = decision.messageOf(outdated);
      if (!message) continue;
      const taken = visitId === null ? new Set() : await listTaken(client, visitId, decision.channels);
      const enabled = channelsOf({ channels: outdated.channelIds }, decision.channels);
      const channelIds = enabled.filter((id) => !taken.has(id));
      if (!channelIds.length) continue;
      const row = {
        message,
        speciesKey,
        speciesId,
        visitId,
        about: outdated.about,
        expiresAt,
        ruleId: outdated.ruleId,
        channelIds,
      };
      isQueued = (await addNotification(client, channels, row, now)) || isQueued;
    }
    return isQueued;
  });
}
