import { fillText, type Plural, pluralText } from '@birdhub/domain/language';
import { hubName, type Settings, type SettingsReader } from '@birdhub/domain/settings';
import { listSourceSummaries } from '@birdhub/domain/sources';
import { createLoop, type Loop } from '@birdhub/shared/async';
import { type Clock, dayMs, localDay } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { HubBase } from '../channels/hub-links.js';
import { findHeartbeat } from '../processor/heartbeat.store.js';
import { type HubTrigger, isHubTrigger, type StoredRule } from './alert-rule.js';
import { listRules } from './alert-rules.store.js';
import { refusalByClock, refusalByMessages } from './evaluate-rule.js';
import { clockTime, hubMessage } from './message.js';
import { fillTemplate } from './message-template.js';
import { messageTextsOf } from './message-texts.js';
import type { MessageChannels } from './messages.store.js';
import { hubLimitsOf } from './notification-policy.js';
import { notifyOfHub } from './notify-by-rules.js';

/** Dependencies of hub alerts. */
interface HubAlertDeps {
  readonly pool: pg.Pool;
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly channels: MessageChannels;
  readonly clock: Clock;
  readonly log: Logger;
  readonly basePath: string;
}

/** A problem of the hub. */
interface HubProblem {
  readonly trigger: HubTrigger;
  /** ms since the epoch */
  readonly since: number;
  /** The id of its source; null for the hub itself. */
  readonly sourceId: number | null;
  readonly sourceName: string;
}

const checkIntervalMs = 60_000;
/** Older problems are no longer notified. */
export const maxProblemAgeMs = 7 * dayMs;
const messageTtlMs = dayMs;
/** Maximum time after the start of the hub in which silence is not notified. */
const maxGraceMs = 10 * 60_000;

/**
 * Starts to notify of a silent detector, a silent source and short storage. Each problem has a key by its start, so
 * that it is notified once across all processes; problems suppressed by quiet hours are notified afterwards if they
 * persist.
 */
export function startHubAlerts(deps: HubAlertDeps): Loop {
  const startedAt = deps.clock.now();
  const loop = createLoop({
    work: () => checkHub(deps, startedAt),
    everyMs: checkIntervalMs,
    firstAfterMs: checkIntervalMs,
    onError: (error) => deps.log.warn({ err: error }, 'state of the hub not checked, retrying'),
  });
  loop.start();
  return loop;
}

/** Checks for problems once, and queues the messages of rules; `startedAt` is the start of the hub, ms since the epoch. */
export async function checkHub(
  { pool, settings, channels, clock, basePath }: HubAlertDeps,
  startedAt: number,
): Promise<void> {
  const current = await settings.current();
  if (!current.general.enable_notifications) return;
  const rules = (await listRules(pool)).filter(({ when, enabled }) => enabled && isHubTrigger(when));
  if (!rules.length) return;
  const now = clock.now();
  const problems = await findProblems(pool);
  const zone = current.general.timezone;
  const context = { now, zone, hub: hubLimitsOf(current) };
  const base = { baseUrl: current.notifications.base_url, basePath };
  let hasQueued = false;
  for (const rule of rules.filter((each) => refusalByClock(each, now, zone) === undefined)) {
    for (const problem of problems.filter((each) => appliesTo(rule, each, { now, startedAt }))) {
      const isQueued = await notifyOfHub(pool, channels, {
        rule,
        subject: `hub ${problem.trigger} ${problem.sourceId ?? ''}`.trim(),
        since: problem.since,
        now,
        expiresAt: now + messageTtlMs,
        channels: await channels.list(),
        message: messageOf(rule, problem, { settings: current, base, now }),
        isRefused: (earlier) => refusalByMessages(rule, problem.since, earlier, context) !== undefined,
      });
      hasQueued = isQueued || hasQueued;
    }
  }
  if (hasQueued) channels.wake();
}

/** Whether a rule applies to a problem. After the start of the hub, detectors and sources first have time to report. */
function appliesTo(
  { when, silent_minutes, sources }: StoredRule,
  { trigger, since, sourceId }: HubProblem,
  { now, startedAt }: { readonly now: number; readonly startedAt: number },
): boolean {
  if (when !== trigger || now - since > maxProblemAgeMs + silent_minutes * 60_000) return false;
  if (sourceId !== null && sources.length > 0 && !sources.includes(sourceId)) return false;
  if (trigger === 'storage_short') return true;
  const silentMs = silent_minutes * 60_000;
  return now - since >= silentMs && now - startedAt >= Math.min(silentMs, maxGraceMs);
}

/** Lists problems of detectors, sources and storage, and their starts. */
async function findProblems(pool: pg.Pool): Promise<HubProblem[]> {
  const [heartbeat, sources, storage] = await Promise.all([
    findHeartbeat(pool),
    listSourceSummaries(pool),
    pool.query<{ at: Date }>('SELECT changed_at AS at FROM storage_state WHERE exhausted'),
  ]);
  const hub = { sourceId: null, sourceName: '' };
  const silent = sources
    .filter(({ enabled }) => enabled)
    .map(({ id, name, lastContactAt, createdAt }) => ({
      trigger: 'source_silent' as const,
      since: (lastContactAt ?? createdAt).getTime(),
      sourceId: id,
      sourceName: name,
    }));
  return [
    ...(heartbeat ? [{ ...hub, trigger: 'detector_silent' as const, since: heartbeat.at }] : []),
    ...storage.rows.map(({ at }) => ({ ...hub, trigger: 'storage_short' as const, since: at.getTime() })),
    ...silent,
  ];
}

interface HubMessageContext {
  readonly settings: Settings;
  readonly base: HubBase;
  readonly now: number;
}

function messageOf(rule: StoredRule, problem: HubProblem, { settings, base, now }: HubMessageContext) {
  const { trigger, since, sourceName } = problem;
  const minutes = Math.floor((now - since) / 60_000);
  const zone = settings.general.timezone;
  const plain = describeProblem(problem, minutes, settings);
  const values = {
    minutes: String(minutes),
    source: sourceName,
    time: clockTime(settings, since),
    date: localDay(zone, since),
    rule: rule.name,
    hub: hubName(settings),
  };
  const filled = rule.template.trim() ? fillTemplate(rule.template, values) : plain;
  const path = trigger === 'source_silent' ? '/sources' : '/system';
  const key = `${trigger}:${problem.sourceId ?? 'hub'}:${since}:${rule.id}`;
  const message = hubMessage({ key, title: filled.title || plain.title, body: filled.body, path }, { base });
  return { ...message, ruleId: rule.id, tags: [rule.when] };
}

/** Returns the texts of the message about a problem. */
export function describeProblem(
  { trigger, sourceName }: Pick<HubProblem, 'trigger' | 'sourceName'>,
  minutes: number,
  settings: Settings,
): { readonly title: string; readonly body: string } {
  const { language, texts } = messageTextsOf(settings);
  if (trigger === 'storage_short') return { title: texts.storageShort, body: texts.storageShortBody };
  const span = (ofMinutes: Plural, ofHours: Plural) =>
    minutes < 120
      ? pluralText(language, ofMinutes, minutes)
      : pluralText(language, ofHours, Math.floor(minutes / 60));
  if (trigger === 'source_silent')
    return {
      title: fillText(texts.sourceSilent, { source: sourceName }),
      body: span(texts.sourceSilentMinutes, texts.sourceSilentHours),
    };
  return {
    title: texts.detectorSilent,
    body: span(texts.detectorSilentMinutes, texts.detectorSilentHours),
  };
}
