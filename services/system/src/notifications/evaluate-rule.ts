import { dayMs, daysBetween, localDay, localTime } from '@birdhub/shared/time';
import { type AlertRule, isHubTrigger, type StoredRule } from './alert-rule.js';

/** A bird for the evaluation of rules: a started visit, or a notice of a detector. */
export interface Bird {
  /** The species and its ancestors; empty for an unknown name. */
  readonly speciesLine: readonly number[];
  readonly group: 'bird' | 'other_animal' | 'noise';
  /** Whether it counts as a bird of its species: not another animal, "Unknown" or "Bird". */
  readonly isCounted: boolean;
  /** Arrival, ms since the epoch. */
  readonly at: number;
  readonly cameraId: string | null;
  /** Its source; null for a detector that posts directly. */
  readonly sourceId: number | null;
  /** Null when unknown, as for a notice. */
  readonly confidence: number | null;
  /** Number of simultaneous birds. */
  readonly count: number;
}

/** The history of the species before the bird. */
export interface BirdHistory {
  /** Start of the previous visit, ms since the epoch; null without one. */
  readonly previousAt: number | null;
  /** Days with a visit within the previous 365 days. */
  readonly daysSeen: number;
  /** Whether the species is currently reported in the region; null without a list. */
  readonly isInRegion: boolean | null;
}

/** An earlier message about the species, and the visit for which it is still valid. */
export interface EarlierMessage {
  readonly ruleId: number | null;
  /** Arrival of the bird, ms since the epoch. */
  readonly about: number;
  /** When the message was created. */
  readonly at: number;
}

/** The context of an evaluation. */
interface RuleContext {
  /** ms since the epoch */
  readonly now: number;
  /** IANA zone of the hub. */
  readonly zone: string;
  readonly hub: HubLimits;
}

/** The limits in the settings, which apply to all rules. */
export interface HubLimits {
  readonly cooldownMs: number;
  readonly quietStart: string;
  readonly quietEnd: string;
}

/** The conditions that can refuse a bird. */
export const refusals = [
  'disabled',
  'not_a_bird_rule',
  'species',
  'except_species',
  'camera',
  'source',
  'confidence',
  'count',
  'weekday',
  'hours',
  'not_counted',
  'not_first_ever',
  'not_first_of_year',
  'not_first_of_season',
  'not_first_of_day',
  'not_rare_here',
  'not_rare_in_region',
  'region_unknown',
  'not_away_long_enough',
  'no_other_animal',
  'quiet_hours',
  'already_sent',
  'once_per_day',
  'once_per_week',
  'cooldown',
  'other_rule',
  'no_channel',
] as const;

/** One of {@link refusals}. */
export type Refusal = (typeof refusals)[number];

/**
 * Returns why a rule refuses a bird; undefined when it applies. Pure: `earlier` are the messages about the species of the
 * last weeks, in any order.
 */
export function refusalOf(
  rule: StoredRule,
  bird: Bird,
  history: BirdHistory,
  earlier: readonly EarlierMessage[],
  context: RuleContext,
): Refusal | undefined {
  return (
    refusalByBird(rule, bird, context.zone) ??
    refusalByHistory(rule, bird, history, context.zone) ??
    refusalByMessages(rule, bird.at, earlier, context)
  );
}

/** Checks conditions on the bird itself. */
export function refusalByBird(rule: AlertRule, bird: Bird, zone: string): Refusal | undefined {
  const { speciesLine, cameraId, sourceId, confidence, count, at } = bird;
  if (!rule.enabled) return 'disabled';
  if (isHubTrigger(rule.when)) return 'not_a_bird_rule';
  const isNamed = speciesLine.some((id) => rule.species.includes(id));
  if (rule.species.length > 0 && !isNamed) return 'species';
  if (speciesLine.some((id) => rule.except_species.includes(id))) return 'except_species';
  if (rule.cameras.length > 0 && !rule.cameras.includes(cameraId ?? '')) return 'camera';
  if (rule.sources.length > 0 && (sourceId === null || !rule.sources.includes(sourceId))) return 'source';
  if (rule.min_confidence > 0 && (confidence ?? 0) < rule.min_confidence) return 'confidence';
  if (count < rule.min_count) return 'count';
  return refusalByClock(rule, at, zone);
}

/** Checks weekday and hours of an instant. */
export function refusalByClock(
  { weekdays, hours_start, hours_end }: AlertRule,
  at: number,
  zone: string,
): 'weekday' | 'hours' | undefined {
  if (weekdays.length > 0 && !weekdays.includes(weekdayOf(localDay(zone, at)))) return 'weekday';
  const isWholeDay = hours_start === hours_end || !hours_start || !hours_end;
  return isWholeDay || isWithin(hours_start, hours_end, localTime(zone, at)) ? undefined : 'hours';
}

/** Checks the trigger. */
function refusalByHistory(
  rule: AlertRule,
  bird: Bird,
  { previousAt, daysSeen, isInRegion }: BirdHistory,
  zone: string,
): Refusal | undefined {
  const { when } = rule;
  if (when === 'any_visit' || when === 'favourite_species') return undefined;
  if (when === 'other_animal') return bird.group === 'other_animal' ? undefined : 'no_other_animal';
  if (!bird.isCounted) return 'not_counted';
  const day = localDay(zone, bird.at);
  const previousDay = previousAt === null ? null : localDay(zone, previousAt);
  const daysAway = previousDay === null ? Number.POSITIVE_INFINITY : daysBetween(previousDay, day);
  switch (when) {
    case 'first_ever':
      return previousDay === null ? undefined : 'not_first_ever';
    case 'first_of_year':
      return previousDay?.slice(0, 4) === day.slice(0, 4) ? 'not_first_of_year' : undefined;
    case 'first_of_season':
      return daysAway >= rule.after_days ? undefined : 'not_first_of_season';
    case 'first_of_day':
      return previousDay === day ? 'not_first_of_day' : undefined;
    case 'returns_after':
      return previousDay !== null && daysAway >= rule.after_days ? undefined : 'not_away_long_enough';
    case 'rare_here':
      return daysSeen <= rule.rare_days ? undefined : 'not_rare_here';
    case 'rare_in_region':
      if (isInRegion === null) return 'region_unknown';
      return isInRegion ? 'not_rare_in_region' : undefined;
    default:
      return 'not_a_bird_rule';
  }
}

/** Checks quiet hours and earlier messages, for a bird or a problem that started at an instant. */
export function refusalByMessages(
  rule: StoredRule,
  at: number,
  earlier: readonly EarlierMessage[],
  { now, zone, hub }: RuleContext,
): Refusal | undefined {
  if (isQuiet(quietHoursOf(rule, hub), now, zone)) return 'quiet_hours';
  const own = earlier.filter(({ ruleId }) => ruleId === rule.id);
  if (own.some(({ about }) => isSameFirst(rule, localDay(zone, about), localDay(zone, at))))
    return 'already_sent';
  const day = localDay(zone, at);
  const days = own.map(({ about }) => localDay(zone, about));
  if (rule.once_per === 'day' && days.includes(day)) return 'once_per_day';
  if (rule.once_per === 'week' && days.some((other) => weekOf(other) === weekOf(day))) return 'once_per_week';
  const { cooldown_seconds: seconds } = rule;
  const [counted, cooldownMs] = seconds === null ? [earlier, hub.cooldownMs] : [own, seconds * 1_000];
  return counted.some((message) => message.at > now - cooldownMs) ? 'cooldown' : undefined;
}

/**
 * Whether an earlier message was about the same "first" visit, so that of two recordings arriving out of order only one
 * is notified.
 */
function isSameFirst({ when, after_days }: AlertRule, notifiedDay: string, day: string): boolean {
  switch (when) {
    case 'first_ever':
      return true;
    case 'first_of_year':
      return notifiedDay.slice(0, 4) === day.slice(0, 4);
    case 'first_of_season':
    case 'returns_after':
      return Math.abs(daysBetween(notifiedDay, day)) < after_days;
    case 'first_of_day':
      return notifiedDay === day;
    default:
      return false;
  }
}

/** Returns the quiet hours of a rule, `HH:MM`; default: those of the hub. */
function quietHoursOf(
  { quiet_hours_start, quiet_hours_end }: AlertRule,
  { quietStart, quietEnd }: HubLimits,
): readonly [string, string] {
  return [quiet_hours_start ?? quietStart, quiet_hours_end ?? quietEnd];
}

/** Whether an instant is within quiet hours, which may span midnight; equal ends mean none. */
export function isQuiet([start, end]: readonly [string, string], now: number, zone: string): boolean {
  return start !== '' && end !== '' && isWithin(start, end, localTime(zone, now));
}

/** Whether a time of day is within a range, which may span midnight. */
function isWithin(start: string, end: string, time: string): boolean {
  return start <= end ? start <= time && time < end : time >= start || time < end;
}

/** Returns 1 (Monday) to 7. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
}

/** Returns the number of the week, starting on Monday, relative to an arbitrary one. */
function weekOf(day: string): number {
  return Math.floor((Date.parse(`${day}T00:00:00Z`) / dayMs + 3) / 7);
}
