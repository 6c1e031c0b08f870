import { ruleDefaults } from 'virtual:rule-defaults';
import type { TFunction } from 'i18next';
import type { components } from '../../api/schema';

/** A rule as stored by the hub. */
export type Rule = components['schemas']['AlertRule'];

/** A rule that is being edited. */
export type RuleDraft = Omit<Rule, 'id' | 'summary'>;

export type RuleTrigger = Rule['when'];

/** Triggers about birds. */
export const birdTriggers = [
  'first_ever',
  'first_of_year',
  'first_of_season',
  'first_of_day',
  'returns_after',
  'rare_here',
  'rare_in_region',
  'favourite_species',
  'any_visit',
  'other_animal',
] as const satisfies readonly RuleTrigger[];

export const hubTriggers = [
  'detector_silent',
  'source_silent',
  'storage_short',
] as const satisfies readonly RuleTrigger[];

export const isAboutHub = (trigger: RuleTrigger) => (hubTriggers as readonly string[]).includes(trigger);

/** Placeholders for templates of rules about birds. */
export const birdPlaceholders = [
  'species',
  'scientific_name',
  'time',
  'date',
  'camera',
  'count',
  'confidence',
  'days_away',
] as const;
export const hubPlaceholders = ['minutes', 'source', 'time', 'date'] as const;

export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;

/** A new rule. */
export const newRule: RuleDraft = { ...ruleDefaults, name: '', when: 'first_ever' };

/** Returns a stored rule to edit. */
export function draftOf({ id: _, summary: __, ...draft }: Rule): RuleDraft {
  return draft;
}

/** Returns the rule without conditions that do not apply to its trigger. */
export function withoutUnused(draft: RuleDraft): RuleDraft {
  if (!isAboutHub(draft.when)) return draft;
  const { species, except_species, cameras, min_confidence, min_count } = ruleDefaults;
  const { sources } = draft.when === 'source_silent' ? draft : ruleDefaults;
  return { ...draft, species, except_species, cameras, sources, min_confidence, min_count };
}

/** Names of the objects to which rules refer by id. */
export interface RuleNames {
  readonly language: string;
  species(id: number): string;
  camera(id: string): string;
  source(id: number): string;
  channel(id: number): string | undefined;
}

type T = TFunction<'notifications'>;

/** Returns the day of the week, 1 for Monday, in a language. */
export function weekdayName(language: string, day: number, style: 'short' | 'long' = 'short'): string {
  const monday = Date.UTC(2024, 0, 1);
  return new Intl.DateTimeFormat(language, { weekday: style, timeZone: 'UTC' }).format(
    monday + (day - 1) * 86_400_000,
  );
}

/** Describes a rule in one sentence. */
export function ruleSentence(t: T, rule: RuleDraft, names: RuleNames): string {
  const list = (items: readonly string[], type: 'conjunction' | 'disjunction') =>
    new Intl.ListFormat(names.language, { type }).format(items);
  const species = list(rule.species.map(names.species), 'disjunction');
  const values = {
    species,
    context: species && !isAboutHub(rule.when) ? 'named' : undefined,
    count: rule.when === 'rare_here' ? rule.rare_days : rule.after_days,
    span: durationText(t, rule.silent_minutes),
  };
  const channels = rule.channels.map(names.channel).filter((name) => name !== undefined);
  const parts = [
    t(`rule.says.${rule.when}`, values as { count: number }),
    rule.except_species.length > 0 &&
      t('rule.says_except', { species: list(rule.except_species.map(names.species), 'disjunction') }),
    rule.cameras.length > 0 &&
      t('rule.says_cameras', { cameras: list(rule.cameras.map(names.camera), 'disjunction') }),
    rule.sources.length > 0 &&
      t('rule.says_sources', { sources: list(rule.sources.map(names.source), 'disjunction') }),
    rule.min_count > 1 && t('rule.says_count', { count: rule.min_count }),
    rule.min_confidence > 0 && t('rule.says_confidence', { percent: Math.round(rule.min_confidence * 100) }),
    rule.hours_start !== rule.hours_end &&
      t('rule.says_hours', { start: rule.hours_start, end: rule.hours_end }),
    rule.weekdays.length > 0 &&
      list(
        [...rule.weekdays].sort().map((day) => weekdayName(names.language, day)),
        'conjunction',
      ),
    rule.quiet_hours_start !== rule.quiet_hours_end &&
      t('rule.says_quiet', { start: rule.quiet_hours_start, end: rule.quiet_hours_end }),
    rule.once_per !== null && t(`rule.says_once.${rule.once_per}`),
    rule.cooldown_seconds &&
      t('rule.says_cooldown', { span: durationText(t, Math.ceil(rule.cooldown_seconds / 60)) }),
    channels.length > 0
      ? t('rule.says_channels', { channels: list(channels, 'conjunction') })
      : rule.channels.length > 0 && t('rule.says_no_channel'),
  ];
  return `${parts.filter(Boolean).join(', ')}.`;
}

function durationText(t: T, minutes: number): string {
  if (minutes % 1_440 === 0) return t('rule.days', { count: minutes / 1_440 });
  return minutes % 60 === 0
    ? t('rule.hours_span', { count: minutes / 60 })
    : t('rule.minutes', { count: minutes });
}

/** Returns the field of a validation error, such as `hours_end`. */
export function fieldOfProblem(path: string): string {
  return path.replace(/^\/rule/, '').split('/')[1] ?? '';
}
