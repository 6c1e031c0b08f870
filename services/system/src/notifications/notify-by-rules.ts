import { inTransaction } from '@birdhub/shared/db';
import type pg from 'pg';
import type { Message } from '../channels/index.js';
import { readVerdicts, updateVerdicts, type Verdict, writeLog } from './alert-log.store.js';
import type { StoredRule } from './alert-rule.js';
import type { EarlierMessage, Refusal } from './evaluate-rule.js';
import {
  addNotification,
  channelsOf,
  claimNotices,
  isHandled,
  isInNotifiedVisit,
  listEarlierMessages,
  listTaken,
  lockMessages,
  type MessageChannel,
  type MessageChannels,
} from './messages.store.js';

/** A bird to be evaluated by the rules. */
export interface Candidate {
  /** Unique and permanent, such as `visit:12`. */
  readonly key: string;
  readonly kind: 'visit' | 'notice';
  readonly visitId: number | null;
  readonly videoId: number | null;
  readonly speciesId: number | null;
  readonly speciesName: string;
  /** Normalised name of the species. */
  readonly speciesKey: string;
  /** Span of the bird, ms since the epoch; an instant for a notice. */
  readonly from: number;
  readonly to: number;
  readonly expiresAt: number;
}

/** The context of the decision about a bird. */
export interface Decision {
  readonly rules: readonly StoredRule[];
  readonly channels: readonly MessageChannel[];
  /** ms since the epoch */
  readonly now: number;
  /** The gap that ends a visit. */
  readonly gapMs: number;
  refusalOf(rule: StoredRule, earlier: readonly EarlierMessage[]): Refusal | undefined;
  messageOf(rule: StoredRule, key: string): Message;
}

/** Tolerated difference between the clocks of hub and processor. */
const clockSlackMs = 30_000;

/**
 * Evaluates the rules for a bird in order: each channel gets the message of the first rule that applies. Messages,
 * deliveries and the log are written in one transaction; a lock per species serialises concurrent calls. Idempotent.
 * Returns whether a message was queued.
 */
export function notifyByRules(
  pool: pg.Pool,
  channels: Pick<MessageChannels, 'enqueue'>,
  bird: Candidate,
  decision: Decision,
): Promise<boolean> {
  const { now } = decision;
  return inTransaction(pool, async (client) => {
    await lockMessages(client, bird.speciesKey);
    if (await isHandled(client, bird.key)) return false;
    if (await isAlreadyNotified(client, bird, decision)) {
      await writeLog(client, bird, { now, notified: false, reason: 'already_notified', verdicts: [] });
      return false;
    }
    const taken = await takenChannels(client, bird, decision);
    const earlier = await listEarlierMessages(client, bird.speciesKey, now);
    const verdicts: Verdict[] = [];
    for (const rule of decision.rules)
      verdicts.push(await evaluateRule(client, channels, { bird, decision, rule, taken, earlier }));
    const isQueued = verdicts.some((verdict) => verdict.notified);
    await writeLog(client, bird, { now, notified: isQueued, reason: null, verdicts });
    return isQueued;
  });
}

/**
 * Re-evaluates the rules that refused a visit for its count or confidence, as it may have grown since. Each rule notifies
 * of a visit once. Returns whether a message was queued.
 */
export function notifyOfGrowth(
  pool: pg.Pool,
  channels: Pick<MessageChannels, 'enqueue'>,
  bird: Candidate,
  decision: Decision,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await lockMessages(client, bird.speciesKey);
    const before = await readVerdicts(client, bird.key);
    const taken = await takenChannels(client, bird, decision);
    const earlier = await listEarlierMessages(client, bird.speciesKey, decision.now);
    const verdicts: Verdict[] = [];
    for (const verdict of before) {
      const rule = decision.rules.find(({ id }) => id === verdict.rule_id);
      const mayGrow = rule && isGrowthRefusal(verdict.refusal);
      verdicts.push(
        mayGrow ? await evaluateRule(client, channels, { bird, decision, rule, taken, earlier }) : verdict,
      );
    }
    const isQueued = verdicts.some((verdict, index) => verdict.notified && !before[index]?.notified);
    await updateVerdicts(client, bird.key, { verdicts, isQueued });
    return isQueued;
  });
}

const isGrowthRefusal = (refusal: Refusal | null) => refusal === 'count' || refusal === 'confidence';

/** Evaluates one rule, and queues its message if it applies. */
async function evaluateRule(
  client: pg.ClientBase,
  channels: Pick<MessageChannels, 'enqueue'>,
  { earlier, ...evaluation }: RuleEvaluation & { readonly earlier: readonly EarlierMessage[] },
): Promise<Verdict> {
  const { rule, decision } = evaluation;
  const refusal = decision.refusalOf(rule, earlier) ?? (await notifyByRule(client, channels, evaluation));
  return {
    rule_id: rule.id,
    rule_name: rule.name,
    notified: refusal === undefined,
    refusal: refusal ?? null,
  };
}

async function isAlreadyNotified(
  client: pg.ClientBase,
  { kind, speciesKey, from }: Candidate,
  { gapMs }: Decision,
): Promise<boolean> {
  if (kind === 'visit') return false;
  return isInNotifiedVisit(client, speciesKey, {
    at: from,
    before: clockSlackMs,
    after: gapMs + clockSlackMs,
  });
}

/** Returns the channels that already have a message about the visit, from a notice or the correction that created it. */
async function takenChannels(
  client: pg.ClientBase,
  { visitId, speciesKey, from, to }: Candidate,
  { channels, gapMs }: Decision,
): Promise<Set<number>> {
  if (visitId === null) return new Set();
  await claimNotices(client, speciesKey, {
    visitId,
    from: from - clockSlackMs,
    to: to + gapMs + clockSlackMs,
  });
  return listTaken(client, visitId, channels);
}

/** A rule that is evaluated for a bird. */
interface RuleEvaluation {
  readonly bird: Candidate;
  readonly decision: Decision;
  readonly rule: StoredRule;
  /** Channels that have a message about the bird; extended by each rule. */
  readonly taken: Set<number>;
}

/** Queues the message of a rule. Returns the reason when that is not possible. */
async function notifyByRule(
  client: pg.ClientBase,
  channels: Pick<MessageChannels, 'enqueue'>,
  { bird, decision, rule, taken }: RuleEvaluation,
): Promise<Refusal | undefined> {
  const wanted = channelsOf(rule, decision.channels);
  const channelIds = wanted.filter((id) => !taken.has(id));
  if (!channelIds.length) return wanted.length ? 'other_rule' : 'no_channel';
  const key = taken.size > 0 ? `${bird.key}:${rule.id}` : bird.key;
  const message = decision.messageOf(rule, key);
  const row = { ...bird, message, ruleId: rule.id, channelIds, about: bird.from };
  if (!(await addNotification(client, channels, row, decision.now))) return 'no_channel';
  for (const id of channelIds) taken.add(id);
  return undefined;
}

/** A condition of the hub for which a rule notifies. */
interface HubDecision {
  readonly rule: StoredRule;
  /** Its permanent subject. */
  readonly subject: string;
  /** ms since the epoch */
  readonly since: number;
  readonly now: number;
  readonly expiresAt: number;
  readonly channels: readonly MessageChannel[];
  readonly message: Message;
  isRefused(earlier: readonly EarlierMessage[]): boolean;
}

/** Queues a message about the hub once per key, and logs it. Returns whether it was queued. */
export function notifyOfHub(
  pool: pg.Pool,
  channels: Pick<MessageChannels, 'enqueue'>,
  { rule, subject, since, now, expiresAt, channels: all, message, isRefused }: HubDecision,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await lockMessages(client, subject);
    if (await isHandled(client, message.key)) return false;
    if (isRefused(await listEarlierMessages(client, subject, now))) return false;
    const row = {
      message,
      speciesKey: subject,
      speciesId: null,
      visitId: null,
      about: since,
      expiresAt,
      ruleId: rule.id,
      channelIds: channelsOf(rule, all),
    };
    if (!row.channelIds.length || !(await addNotification(client, channels, row, now))) return false;
    const verdicts = [{ rule_id: rule.id, rule_name: rule.name, notified: true, refusal: null }];
    const logged = {
      key: message.key,
      kind: 'hub' as const,
      visitId: null,
      videoId: null,
      speciesId: null,
      speciesName: message.title,
      from: since,
    };
    await writeLog(client, logged, { now, notified: true, reason: null, verdicts });
    return true;
  });
}
