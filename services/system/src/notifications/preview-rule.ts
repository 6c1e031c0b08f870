import type { Settings } from '@birdhub/domain/settings';
import type { SpeciesTree } from '@birdhub/domain/species';
import { dayMs, daysBefore, formatInstant, localDay, nextDay } from '@birdhub/shared/time';
import type pg from 'pg';
import type { HubBase } from '../channels/hub-links.js';
import { type AlertRule, isHubTrigger, type StoredRule } from './alert-rule.js';
import type { Preview } from './alert-rules.schema.js';
import {
  findInRegion,
  listDaysSeen,
  listPastVisits,
  type PastVisit,
  rareWindowDays,
} from './bird-history.store.js';
import {
  type Bird,
  type BirdHistory,
  type EarlierMessage,
  refusalByBird,
  refusalByClock,
  refusalByMessages,
  refusalOf,
} from './evaluate-rule.js';
import { describeProblem, maxProblemAgeMs } from './hub-alerts.js';
import { ruleMessage, visitMessage } from './message.js';
import { historyPartsOf, hubLimitsOf, treePropertiesOf, withCurrentSpecies } from './notification-policy.js';
import { findVisitDetails } from './visit-details.store.js';

/** Dependencies for computing a preview. */
export interface PreviewDeps {
  readonly pool: Pick<pg.ClientBase, 'query'>;
  readonly tree: SpeciesTree;
  readonly settings: Settings;
  readonly base: HubBase;
  /** ms since the epoch */
  readonly now: number;
}

type PreviewResult = Pick<Preview, 'would_send' | 'complete' | 'known' | 'examples'>;

/** Maximum visits that are evaluated. */
const maxVisits = 50_000;
const maxExamples = 10;

/**
 * Returns the messages that a rule alone would have sent if each visit of the last days had been evaluated at its
 * start. Uses the visits as stored now and the limits of the settings; ignores other rules.
 */
export async function previewRule(deps: PreviewDeps, given: AlertRule, days: number): Promise<PreviewResult> {
  const rule = withCurrentSpecies(deps.tree, given);
  const candidate: StoredRule = { ...rule, id: 0, enabled: true };
  if (isHubTrigger(rule.when)) return previewHubRule(deps, candidate, days);
  const { pool, now, settings, tree } = deps;
  const speciesIds = rule.species.length > 0 ? withDescendants(tree, rule.species) : undefined;
  const hasOrigin = rule.cameras.length > 0 || rule.sources.length > 0 || rule.min_confidence > 0;
  const query = { from: now - days * dayMs, to: now, speciesIds, hasOrigin, limit: maxVisits + 1 };
  const found = await listPastVisits(pool, query);
  const visits = found.slice(-maxVisits);
  const zone = settings.general.timezone;
  const isExcluded = exclusionOf(tree, settings);
  const candidates = visits
    .filter(({ speciesId }) => !isExcluded(speciesId))
    .map((visit) => ({ visit, bird: birdOf(tree, visit) }))
    .filter(({ bird }) => refusalByBird(candidate, bird, zone) === undefined);
  const facts = await readFacts(
    deps,
    candidate,
    candidates.map(({ visit }) => visit),
  );
  const sent = simulate(deps, candidate, candidates, facts.historyOf);
  return {
    would_send: sent.length,
    complete: found.length <= maxVisits,
    known: facts.isKnown,
    examples: await toExamples(deps, candidate, sent),
  };
}

interface PastBird {
  readonly visit: PastVisit;
  readonly bird: Bird;
}

type HistoryOf = (past: PastBird) => BirdHistory;

/** Evaluates the birds in chronological order, and returns those that would have caused a message. */
function simulate(
  { settings }: PreviewDeps,
  rule: StoredRule,
  birds: readonly PastBird[],
  historyOf: HistoryOf,
): PastBird[] {
  const zone = settings.general.timezone;
  const hub = hubLimitsOf(settings);
  const earlierBySpecies = new Map<number, EarlierMessage[]>();
  return birds.filter((past) => {
    const { speciesId, at } = past.visit;
    const earlier = earlierBySpecies.get(speciesId) ?? [];
    const refusal = refusalOf(rule, past.bird, historyOf(past), earlier, { now: at, zone, hub });
    if (refusal === undefined)
      earlierBySpecies.set(speciesId, [...earlier.slice(-maxEarlier), { ruleId: rule.id, about: at, at }]);
    return refusal === undefined;
  });
}

/** Maximum remembered messages about a species. */
const maxEarlier = 20;

/** Reads the facts for the histories of all birds. */
async function readFacts(
  { pool, settings, tree }: PreviewDeps,
  rule: StoredRule,
  visits: readonly PastVisit[],
): Promise<{ readonly historyOf: HistoryOf; readonly isKnown: boolean }> {
  const zone = settings.general.timezone;
  const speciesIds = [...new Set(visits.map(({ speciesId }) => speciesId))];
  const daysSeen = rule.when === 'rare_here' ? await readDaysSeen(pool, zone, visits, speciesIds) : new Map();
  const inRegion = new Map<number, boolean | null>();
  if (rule.when === 'rare_in_region') {
    for (const id of speciesIds) {
      const { region } = historyPartsOf([rule], settings, treePropertiesOf(tree, id).speciesLine);
      inRegion.set(id, region ? await findInRegion(pool, region) : null);
    }
  }
  const isListed = [...inRegion.values()].every((value) => value !== null);
  return {
    isKnown: rule.when !== 'rare_in_region' || (inRegion.size > 0 && isListed),
    historyOf({ visit: { speciesId, at, previousAt } }) {
      const day = localDay(zone, at);
      const start = daysBefore(day, rareWindowDays);
      const days: readonly string[] = daysSeen.get(speciesId) ?? [];
      return {
        previousAt,
        daysSeen: countBetween(days, start, day),
        isInRegion: inRegion.get(speciesId) ?? null,
      };
    },
  };
}

async function readDaysSeen(
  pool: PreviewDeps['pool'],
  zone: string,
  visits: readonly PastVisit[],
  speciesIds: readonly number[],
): Promise<Map<number, string[]>> {
  const [first, last] = [visits[0], visits.at(-1)];
  if (!first || !last) return new Map();
  const from = daysBefore(localDay(zone, first.at), rareWindowDays);
  return listDaysSeen(pool, { from, to: nextDay(localDay(zone, last.at)), speciesIds });
}

/** Counts the days in the half-open range. */
function countBetween(days: readonly string[], from: string, to: string): number {
  return lowerBound(days, to) - lowerBound(days, from);
}

function lowerBound(days: readonly string[], day: string): number {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((days[middle] ?? '') < day) low = middle + 1;
    else high = middle;
  }
  return low;
}

function birdOf(
  tree: SpeciesTree,
  { speciesId, at, cameraId, sourceId, confidence, count }: PastVisit,
): Bird {
  return { ...treePropertiesOf(tree, speciesId), at, cameraId, sourceId, confidence, count };
}

/** Returns a predicate for species that the settings exclude. */
function exclusionOf(tree: SpeciesTree, { general }: Settings): (speciesId: number) => boolean {
  const ids = new Set(general.notification_excluded_species.map((name) => tree.find(name)));
  return (speciesId) => ids.has(speciesId);
}

/** Returns species with all their descendants. */
function withDescendants(tree: SpeciesTree, ids: readonly number[]): number[] {
  const found = new Set<number>();
  const open = [...ids];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...tree.childrenOf(id));
  }
  return [...found];
}

async function toExamples(
  { pool, settings, base }: PreviewDeps,
  rule: StoredRule,
  sent: readonly PastBird[],
): Promise<PreviewResult['examples']> {
  const examples: PreviewResult['examples'] = [];
  for (const { visit, bird } of sent.slice(-maxExamples).reverse()) {
    const videoId = visit.videoId ?? (await findFirstVideo(pool, visit.visitId));
    const details = await findVisitDetails(pool, visit.visitId, videoId ?? 0);
    if (!details) continue;
    const plain = visitMessage(visit.visitId, videoId ?? 0, details, { settings, base });
    const history = { previousAt: visit.previousAt };
    const { title, body } = ruleMessage(plain, rule, details, { settings, base, bird, history });
    const ids = { visit_id: visit.visitId, video_id: videoId, species_id: visit.speciesId };
    examples.push({ ...ids, at: formatInstant(visit.at), title, body });
  }
  return examples;
}

async function findFirstVideo(pool: PreviewDeps['pool'], visitId: number): Promise<number | null> {
  const { rows } = await pool.query<{ id: number }>(
    'SELECT video_id AS id FROM detection WHERE visit_id = $1 ORDER BY start_time, id LIMIT 1',
    [visitId],
  );
  return rows[0]?.id ?? null;
}

/** SQL: silences between two uptime ranges of a detector that are longer than the limit of the rule. */
const silencesSql = `
  SELECT ended_at AS at, next AS until FROM (
    SELECT ended_at, lead(started_at, 1, $2) OVER (ORDER BY started_at) AS next FROM processor_uptime
    WHERE ended_at >= $1::timestamptz - interval '31 days') spans
  WHERE ended_at >= $1 AND next - ended_at >= $3 * interval '1 minute' ORDER BY ended_at`;

/** Previews a rule about the hub. Only uptimes of detectors are stored, not states of storage and sources. */
async function previewHubRule(
  { pool, now, settings }: PreviewDeps,
  rule: StoredRule,
  days: number,
): Promise<PreviewResult> {
  if (rule.when !== 'detector_silent') return { would_send: 0, complete: true, known: false, examples: [] };
  const values = [new Date(now - days * dayMs), new Date(now), rule.silent_minutes];
  const { rows } = await pool.query<{ at: Date; until: Date }>(silencesSql, values);
  const sent = simulateSilences(rows, rule, settings);
  const examples = sent
    .slice(-maxExamples)
    .reverse()
    .map((at) => {
      const { title, body } = describeProblem(
        { trigger: 'detector_silent', sourceName: '' },
        rule.silent_minutes,
        settings,
      );
      return { visit_id: null, video_id: null, species_id: null, at: formatInstant(at), title, body };
    });
  return { would_send: sent.length, complete: true, known: true, examples };
}

/**
 * Returns the starts of the silences of which the rule would have notified. Each is checked every few minutes until it
 * ends, like a problem of the hub, so that it may be notified after quiet hours.
 */
function simulateSilences(
  silences: readonly { readonly at: Date; readonly until: Date }[],
  rule: StoredRule,
  settings: Settings,
): number[] {
  const zone = settings.general.timezone;
  const hub = hubLimitsOf(settings);
  const sent: EarlierMessage[] = [];
  for (const silence of silences) {
    const about = silence.at.getTime();
    const first = about + rule.silent_minutes * 60_000;
    const last = Math.min(silence.until.getTime(), first + maxProblemAgeMs);
    for (let now = first; now <= last; now += silenceStepMs) {
      if (refusalByClock(rule, now, zone) !== undefined) continue;
      if (refusalByMessages(rule, about, sent.slice(-maxEarlier), { now, zone, hub }) !== undefined) continue;
      sent.push({ ruleId: rule.id, about, at: now });
      break;
    }
  }
  return sent.map(({ about }) => about);
}

/** Interval between two checks of a silence in a preview. */
const silenceStepMs = 5 * 60_000;
