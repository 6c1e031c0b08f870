/** What a rule tells of. */
export const ruleTriggers = [
  'any_visit',
  'first_ever',
  'first_of_year',
  'first_of_season',
  'first_of_day',
  'rare_here',
  'rare_in_region',
  'returns_after',
  'favourite_species',
  'other_animal',
  'detector_silent',
  'storage_short',
  'source_silent',
] as const;

/** One of {@link ruleTriggers}. */
export type RuleTrigger = (typeof ruleTriggers)[number];

/** Triggers that are about the hub and not about a bird. */
export const hubTriggers = ['detector_silent', 'storage_short', 'source_silent'] as const;

/** One of {@link hubTriggers}. */
export type HubTrigger = (typeof hubTriggers)[number];

export const isHubTrigger = (trigger: RuleTrigger): trigger is HubTrigger =>
  (hubTriggers as readonly string[]).includes(trigger);

/** In what time a rule tells of a species once at most. */
export const oncePeriods = ['day', 'week'] as const;

/** What a person wants to be told, as the API has it; times of day are local times of the hub. */
export interface AlertRule {
  readonly name: string;
  readonly enabled: boolean;
  readonly when: RuleTrigger;
  /** Days of absence of `first_of_season` and `returns_after`. */
  readonly after_days: number;
  /** `rare_here`: days with a visit within the last year, at most. */
  readonly rare_days: number;
  /** Minutes of silence of `detector_silent` and `source_silent`. */
  readonly silent_minutes: number;
  /** Ids of species, genera and families; all of them when empty. */
  readonly species: readonly number[];
  readonly except_species: readonly number[];
  /** Cameras, by id; all when empty. */
  readonly cameras: readonly string[];
  /** Sources, by id; all when empty. */
  readonly sources: readonly number[];
  readonly min_confidence: number;
  readonly min_count: number;
  /** `HH:MM`, or empty for the whole day; may span midnight. */
  readonly hours_start: string;
  readonly hours_end: string;
  /** 1 for Monday to 7; every day when empty. */
  readonly weekdays: readonly number[];
  /** Null for the quiet hours of the settings; empty for none. */
  readonly quiet_hours_start: string | null;
  readonly quiet_hours_end: string | null;
  /** Least seconds between two messages of the rule about a species; null for that of the settings, which holds for all rules. */
  readonly cooldown_seconds: number | null;
  readonly once_per: (typeof oncePeriods)[number] | null;
  /** Channels, by id; every enabled one when empty. */
  readonly channels: readonly number[];
  /** First line the title, the rest the text; empty for that of the hub. */
  readonly template: string;
  /** Whether a message is corrected when a person corrects the bird. */
  readonly tell_corrections: boolean;
}

/** A rule as it is stored. */
export interface StoredRule extends AlertRule {
  readonly id: number;
}

/** What a rule says that says nothing else. */
export const ruleDefaults: Omit<AlertRule, 'name' | 'when'> = {
  enabled: true,
  after_days: 30,
  rare_days: 3,
  silent_minutes: 60,
  species: [],
  except_species: [],
  cameras: [],
  sources: [],
  min_confidence: 0,
  min_count: 1,
  hours_start: '',
  hours_end: '',
  weekdays: [],
  quiet_hours_start: null,
  quiet_hours_end: null,
  cooldown_seconds: null,
  once_per: null,
  channels: [],
  template: '',
  tell_corrections: false,
};

/** Most rules of a hub: each is looked at for every visit. */
export const maxRules = 50;
