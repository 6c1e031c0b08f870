/** The triggers of alert rules. */
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
const hubTriggers = ['detector_silent', 'storage_short', 'source_silent'] as const;

/** One of {@link hubTriggers}. */
export type HubTrigger = (typeof hubTriggers)[number];

export const isHubTrigger = (trigger: RuleTrigger): trigger is HubTrigger =>
  (hubTriggers as readonly string[]).includes(trigger);

/** Periods in which a rule notifies of a species at most once. */
export const oncePeriods = ['day', 'week'] as const;

/** An alert rule in its wire form; times of day are local to the hub. */
export interface AlertRule {
  readonly name: string;
  readonly enabled: boolean;
  readonly when: RuleTrigger;
  /** `first_of_season`, `returns_after`: days of absence. */
  readonly after_days: number;
  /** `rare_here`: maximum days with a visit within the last year. */
  readonly rare_days: number;
  /** `detector_silent`, `source_silent`: minutes of silence. */
  readonly silent_minutes: number;
  /** Ids of species, genera and families; empty for all. */
  readonly species: readonly number[];
  readonly except_species: readonly number[];
  /** Ids of cameras; empty for all. */
  readonly cameras: readonly string[];
  /** Ids of sources; empty for all. */
  readonly sources: readonly number[];
  readonly min_confidence: number;
  readonly min_count: number;
  /** `HH:MM`, or empty for the whole day; may span midnight. */
  readonly hours_start: string;
  readonly hours_end: string;
  /** 1 (Monday) to 7; empty for every day. */
  readonly weekdays: readonly number[];
  /** Null for those of the settings; empty for none. */
  readonly quiet_hours_start: string | null;
  readonly quiet_hours_end: string | null;
  /**
   * Minimum seconds between two messages of the rule about a species; null for that of the settings, which applies
   * across all rules.
   */
  readonly cooldown_seconds: number | null;
  readonly once_per: (typeof oncePeriods)[number] | null;
  /** Ids of channels; empty for all enabled ones. */
  readonly channels: readonly number[];
  /** The first line is the title, the rest the body; empty for the default. */
  readonly template: string;
  /** Whether a correction is sent when a person corrects the species. */
  readonly notify_corrections: boolean;
}

/** A stored rule. */
export interface StoredRule extends AlertRule {
  readonly id: number;
}

/** The defaults of a rule. */
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
  notify_corrections: false,
};

/** Maximum rules of a hub, as all are evaluated for each visit. */
export const maxRules = 50;
