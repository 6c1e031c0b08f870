import { createNaming } from '@birdhub/domain/recordings';
import { ebirdRegionOf, type Settings, type SettingsReader } from '@birdhub/domain/settings';
import {
  normaliseSpeciesName,
  type SpeciesDirectory,
  type SpeciesTree,
  speciesKey,
} from '@birdhub/domain/species';
import { type Bus, deliveriesWithin, type Subscription } from '@birdhub/shared/bus';
import type { PrismaClient } from '@birdhub/shared/db';
import type { EventMap, Subject, SubjectsOf } from '@birdhub/shared/events';
import { recordDeadLetter } from '@birdhub/shared/outbox';
import { type Clock, dayMs, localDay } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Message } from '../channels/index.js';
import { listGrowable, writeLog } from './alert-log.store.js';
import type { AlertRule, StoredRule } from './alert-rule.js';
import type { LogEntry } from './alert-rules.schema.js';
import { listRules } from './alert-rules.store.js';
import { readHistory } from './bird-history.store.js';
import { queueCorrections } from './corrections.store.js';
import { type Bird, type BirdHistory, type HubLimits, refusalByBird, refusalOf } from './evaluate-rule.js';
import { correctionMessage, noticeMessage, ruleMessage, visitMessage } from './message.js';
import type { MessageChannels } from './messages.store.js';
import { type Candidate, type Decision, notifyByRules, notifyOfGrowth } from './notify-by-rules.js';
import { findCorrected, findSpeciesPicture, findVisitDetails } from './visit-details.store.js';

/** Dependencies of the policy. */
export interface NotificationPolicyDeps {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly directory: Pick<SpeciesDirectory, 'tree'>;
  readonly channels: MessageChannels;
  readonly clock: Clock;
  readonly basePath: string;
}

const backoffMs = [500, 2_000, 15_000];

/** Enough for an event to expire, after a day at most, while the database is unreachable. */
const maxDeliver = deliveriesWithin(dayMs, backoffMs);

/** Older events, imported or very late ones, are neither notified nor logged. */
const maxLoggedAgeMs = dayMs;

/**
 * Queues notifications for started visits, detection notices and corrections. They are stored before their event is
 * acknowledged.
 */
export function consumeNotificationEvents(
  deps: NotificationPolicyDeps & { readonly bus: Pick<Bus, 'consume'> },
): Subscription[] {
  const { bus, pool, channels } = deps;
  const policy = new NotificationPolicy(deps);
  const consume = <S extends Subject>(
    durable: string,
    subject: S,
    queue: (payload: EventMap[SubjectsOf<S>]) => Promise<boolean>,
  ) =>
    bus.consume(
      {
        durable,
        subject,
        deliver: 'new',
        maxDeliver,
        backoffMs,
        concurrency: 32,
        onDeadLetter: (letter) => recordDeadLetter(pool, letter),
      },
      async ({ payload }) => {
        if (await queue(payload)) channels.wake();
      },
    );
  return [
    consume('system-push-recordings', 'hub.v1.recording.upserted', (event) => policy.queueGrowth(event)),
    consume('system-push', 'hub.v1.visit.started', (event) => policy.queueVisit(event)),
    consume('system-push-notices', 'hub.v1.detection.notified', (event) => policy.queueNotice(event)),
    consume('system-push-corrections', 'hub.v1.detection.corrected', (event) =>
      policy.queueCorrection(event),
    ),
  ];
}

/** A bird with its default message. */
interface FoundBird {
  readonly candidate: Candidate;
  readonly bird: Bird;
  readonly message: Message;
  readonly details: Parameters<typeof ruleMessage>[2];
}

/** Decides by the rules which events cause notifications. */
class NotificationPolicy {
  readonly #deps: NotificationPolicyDeps;

  constructor(deps: NotificationPolicyDeps) {
    this.#deps = deps;
  }

  /** Returns whether a notification was queued. */
  async queueVisit(event: EventMap['hub.v1.visit.started']): Promise<boolean> {
    const { visit_id, video_id, start_time } = event;
    if (this.#isHistoric(Date.parse(start_time))) return false;
    const settings = await this.#deps.settings.current();
    const found = await this.#findVisit(visit_id, video_id, settings);
    const isQueued = found !== undefined && (await this.#notify(found, settings));
    // A recording that arrived before this decision was logged could not change it.
    const isGrown = await this.#notifyOfGrowth([visit_id]);
    return isQueued || isGrown;
  }

  /**
   * Re-evaluates visits whose count or confidence a recording may have increased. Returns whether a notification was
   * queued.
   */
  async queueGrowth({ visit_ids, end_time }: EventMap['hub.v1.recording.upserted']): Promise<boolean> {
    if (!visit_ids.length || this.#isHistoric(Date.parse(end_time))) return false;
    return this.#notifyOfGrowth(visit_ids);
  }

  async #notifyOfGrowth(visitIds: readonly number[]): Promise<boolean> {
    const { pool, channels } = this.#deps;
    let isQueued = false;
    for (const { visitId, videoId } of await listGrowable(pool, visitIds)) {
      const settings = await this.#deps.settings.current();
      const found = await this.#findVisit(visitId, videoId, settings);
      if (!found) continue;
      // The visit grew when it last ended, so the message expires relative to its end.
      const candidate = { ...found.candidate, expiresAt: expiryOf(found.candidate.to, settings) };
      const rules = await listRules(pool);
      if ((await this.#hubReason(candidate, rules, settings)) !== null) continue;
      const decision = await this.#decisionOf({ ...found, candidate }, rules, settings);
      isQueued = (await notifyOfGrowth(pool, channels, candidate, decision)) || isQueued;
    }
    return isQueued;
  }

  /** Returns a visit; undefined when it was deleted, or is of the demo. */
  async #findVisit(visitId: number, videoId: number, settings: Settings): Promise<FoundBird | undefined> {
    const tree = await this.#deps.directory.tree();
    const visit = await findVisitDetails(this.#deps.pool, visitId, videoId);
    if (!visit || visit.isOfDemo) return undefined;
    const { speciesId, speciesName, start, end } = visit;
    const message = visitMessage(visitId, videoId, visit, this.#context(settings));
    const candidate = {
      key: message.key,
      kind: 'visit',
      visitId,
      videoId,
      speciesId,
      speciesName,
      speciesKey: speciesKey(speciesName),
      from: start,
      to: end,
      expiresAt: expiryOf(start, settings),
    } as const;
    const bird = { ...treePropertiesOf(tree, speciesId), ...visit, at: start };
    return { candidate, bird, message, details: visit };
  }

  /** Returns whether a notification was queued. */
  async queueNotice(event: EventMap['hub.v1.detection.notified']): Promise<boolean> {
    const { notice_id, species_name, link, image_path, has_image, notified_at } = event;
    const { prisma, directory } = this.#deps;
    const at = Date.parse(notified_at);
    if (this.#isHistoric(at)) return false;
    const settings = await this.#deps.settings.current();
    const tree = await directory.tree();
    const label = createNaming(settings)(species_name);
    const speciesName = canonicalName(tree, label);
    const speciesId = tree.find(label);
    const imageUrl = speciesId === undefined ? null : await findSpeciesPicture(prisma, speciesId);
    const notice = {
      noticeId: notice_id,
      speciesName,
      at,
      link,
      imagePath: image_path,
      hasImage: has_image,
      imageUrl,
    };
    const message = noticeMessage(notice, this.#context(settings));
    const candidate = {
      key: message.key,
      kind: 'notice',
      visitId: null,
      videoId: null,
      speciesId: speciesId ?? null,
      speciesName,
      speciesKey: speciesKey(speciesName),
      from: at,
      to: at,
      expiresAt: expiryOf(at, settings),
    } as const;
    const unknown = { cameraId: null, sourceId: null, sourceName: null, confidence: null, count: 1 };
    const scientificName = tree.nodes.get(speciesId ?? 0)?.scientificName ?? null;
    const details = { ...unknown, speciesName, scientificName };
    const bird = { ...treePropertiesOf(tree, speciesId), ...unknown, at };
    return this.#notify({ candidate, bird, message, details }, settings);
  }

  /** Returns whether a correction of a message was queued. */
  async queueCorrection(event: EventMap['hub.v1.detection.corrected']): Promise<boolean> {
    const { visit_ids, to_species_id, detection_ids, corrected_at } = event;
    const { pool, clock, channels, settings: reader } = this.#deps;
    const settings = await reader.current();
    const expiresAt = expiryOf(Date.parse(corrected_at), settings);
    if (!settings.general.enable_notifications || clock.now() >= expiresAt) return false;
    const corrected = await findCorrected(pool, to_species_id, detection_ids);
    if (!corrected) return false;
    const rules = new Map((await listRules(pool)).map((rule) => [rule.id, rule]));
    const context = this.#context(settings);
    return queueCorrections(pool, channels, {
      ...corrected,
      visitIds: visit_ids,
      now: clock.now(),
      speciesId: to_species_id,
      speciesKey: speciesKey(corrected.speciesName),
      channels: await channels.list(),
      expiresAt,
      messageOf(outdated) {
        const rule = rules.get(outdated.ruleId);
        if (!rule?.enabled || !rule.notify_corrections) return undefined;
        return correctionMessage(outdated, corrected, context);
      },
    });
  }

  #isHistoric(at: number): boolean {
    return this.#deps.clock.now() - at > maxLoggedAgeMs;
  }

  async #notify(found: FoundBird, settings: Settings): Promise<boolean> {
    const { pool, clock, channels } = this.#deps;
    const { candidate } = found;
    const now = clock.now();
    const rules = await listRules(pool);
    const reason = await this.#hubReason(candidate, rules, settings);
    if (reason !== null) {
      await writeLog(pool, candidate, { now, notified: false, reason, verdicts: [] });
      return false;
    }
    return notifyByRules(pool, channels, candidate, await this.#decisionOf(found, rules, settings));
  }

  /** Reads the context for the decision about a bird. */
  async #decisionOf(
    { candidate, bird, message, details }: FoundBird,
    stored: readonly StoredRule[],
    settings: Settings,
  ): Promise<Decision> {
    const now = this.#deps.clock.now();
    const zone = settings.general.timezone;
    const tree = await this.#deps.directory.tree();
    const rules = stored.map((rule) => withCurrentSpecies(tree, rule));
    const possible = rules.filter((rule) => refusalByBird(rule, bird, zone) === undefined);
    const history = await this.#readHistory(candidate, bird, possible, settings);
    const hub = hubLimitsOf(settings);
    const context = this.#context(settings);
    return {
      rules,
      channels: await this.#deps.channels.list(),
      now,
      gapMs: settings.visits.gap_seconds * 1_000,
      refusalOf: (rule, earlier) => refusalOf(rule, bird, history, earlier, { now, zone, hub }),
      messageOf: (rule, key) =>
        ruleMessage({ ...message, key }, rule, details, { bird, history, ...context }),
    };
  }

  async #hubReason(
    { expiresAt, speciesName }: Candidate,
    rules: readonly StoredRule[],
    settings: Settings,
  ): Promise<LogEntry['reason']> {
    if (!settings.general.enable_notifications) return 'notifications_off';
    if (this.#deps.clock.now() >= expiresAt) return 'too_old';
    if (!rules.length) return 'no_rules';
    return (await this.#isExcluded(speciesName, settings)) ? 'excluded_species' : null;
  }

  /** Reads only the parts of the history that the rules need. */
  async #readHistory(
    { visitId, speciesId, from }: Candidate,
    { speciesLine }: Bird,
    rules: readonly StoredRule[],
    settings: Settings,
  ): Promise<BirdHistory> {
    if (speciesId === null) return { previousAt: null, daysSeen: 0, isInRegion: null };
    const query = {
      speciesId,
      visitId: visitId ?? 0,
      at: from,
      day: localDay(settings.general.timezone, from),
    };
    return readHistory(this.#deps.pool, query, historyPartsOf(rules, settings, speciesLine));
  }

  async #isExcluded(speciesName: string, { general }: Settings): Promise<boolean> {
    const excluded = general.notification_excluded_species;
    if (!excluded.length) return false;
    const tree = await this.#deps.directory.tree();
    const key = speciesKey(speciesName);
    return excluded.some((name) => speciesKey(canonicalName(tree, name)) === key);
  }

  #context(settings: Settings) {
    const base = { baseUrl: settings.notifications.base_url, basePath: this.#deps.basePath };
    return { settings, base };
  }
}

/** Returns the parts of the history that rules need. */
export function historyPartsOf(
  rules: readonly Pick<StoredRule, 'when' | 'template'>[],
  settings: Pick<Settings, 'ebird' | 'secrets'>,
  speciesLine: readonly number[],
) {
  const has = (...triggers: string[]) => rules.some(({ when }) => triggers.includes(when));
  const code = settings.secrets.ebird_api_key ? ebirdRegionOf(settings) : undefined;
  return {
    previous:
      has('first_ever', 'first_of_year', 'first_of_season', 'first_of_day', 'returns_after') ||
      rules.some(({ template }) => template.includes('{days_away}')),
    daysSeen: has('rare_here'),
    region: has('rare_in_region') && code !== undefined ? { code, speciesLine } : undefined,
  };
}

/** Returns the limits of the settings for all rules. */
export function hubLimitsOf({ notifications }: Pick<Settings, 'notifications'>): HubLimits {
  return {
    cooldownMs: notifications.cooldown_seconds * 1_000,
    quietStart: notifications.quiet_hours_start,
    quietEnd: notifications.quiet_hours_end,
  };
}

/** Returns the properties of a species in the tree that rules need. */
export function treePropertiesOf(tree: SpeciesTree, speciesId: number | undefined) {
  const node = tree.nodes.get(speciesId ?? 0);
  if (!node) return { speciesLine: [], group: 'bird', isCounted: speciesId === undefined } as const;
  const { id, group, generic } = node;
  return { speciesLine: [id, ...tree.ancestorsOf(id)], group, isCounted: group === 'bird' && !generic };
}

/** Replaces merged species of a rule with their targets. The stored rule keeps them, as a merge can be reverted. */
export function withCurrentSpecies<R extends AlertRule>(tree: SpeciesTree, rule: R): R {
  const current = (ids: readonly number[]) => [...new Set(ids.map((id) => tree.current(id) ?? id))];
  return { ...rule, species: current(rule.species), except_species: current(rule.except_species) };
}

function expiryOf(at: number, { notifications }: Settings): number {
  return at + notifications.max_age_minutes * 60_000;
}

/** Returns the name of the species of a label, or the label itself when it is unknown. */
function canonicalName(tree: SpeciesTree, label: string): string {
  const id = tree.find(label);
  return (id !== undefined && tree.nodes.get(id)?.name) || normaliseSpeciesName(label);
}
