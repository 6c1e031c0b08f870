import type { AlertRule } from './alert-rule.js';

/** Names by the ids of a rule; unknown ids are omitted. */
export interface RuleNames {
  species(id: number): string | undefined;
  channel(id: number): string | undefined;
  source(id: number): string | undefined;
}

const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** Describes a rule as an English sentence, for clients without own texts. */
export function describeRule(rule: AlertRule, names: RuleNames): string {
  const species = listOf(rule.species.map(names.species), 'or');
  const except = listOf(rule.except_species.map(names.species), 'or');
  const sources = listOf(rule.sources.map(names.source), 'or');
  const channels = listOf(rule.channels.map(names.channel), 'and');
  const parts = [
    subjectOf(rule, species),
    except && `except ${except}`,
    rule.cameras.length > 0 && `at ${listOf(rule.cameras, 'or')}`,
    sources && `from ${sources}`,
    rule.min_count > 1 && `with at least ${rule.min_count} birds at once`,
    rule.min_confidence > 0 && `with a confidence of ${Math.round(rule.min_confidence * 100)}% or more`,
    rule.hours_start !== rule.hours_end && `between ${rule.hours_start} and ${rule.hours_end}`,
    rule.weekdays.length > 0 &&
      `on ${listOf(
        [...rule.weekdays].sort().map((day) => dayNames[day - 1]),
        'and',
      )}`,
    rule.once_per && `at most once a ${rule.once_per} for each species`,
    rule.cooldown_seconds &&
      `with a pause of ${durationOf(Math.ceil(rule.cooldown_seconds / 60))} for each species`,
  ].filter(Boolean);
  const hasQuietHours = rule.quiet_hours_start !== rule.quiet_hours_end;
  const quiet = hasQuietHours
    ? `, but not between ${rule.quiet_hours_start} and ${rule.quiet_hours_end}`
    : '';
  const start = rule.enabled ? 'Notifies' : 'Is switched off; would notify';
  const all = rule.channels.length > 0 ? 'no channel' : 'every channel';
  return `${start} ${parts.join(', ')}${quiet}, through ${channels || all}.`;
}

function subjectOf({ when, after_days, rare_days, silent_minutes }: AlertRule, species: string): string {
  const of = species || 'a species';
  const subjects: Record<AlertRule['when'], string> = {
    any_visit: `about each visit${species && ` of ${species}`}`,
    first_ever: `when ${of} comes for the first time ever`,
    first_of_year: `when ${of} comes for the first time in the year`,
    first_of_season: `when ${of} comes for the first time after ${after_days} days or ever`,
    first_of_day: `about the first visit of ${of} each day`,
    rare_here: `when ${of} comes that was here on at most ${rare_days} days of the last year`,
    rare_in_region: `when ${of} comes that nobody reports in the region`,
    returns_after: `when ${of} returns after ${after_days} days`,
    favourite_species: `about each visit of ${of}`,
    other_animal: `when ${species || 'another animal'} comes`,
    detector_silent: `when no detector has reported for ${durationOf(silent_minutes)}`,
    storage_short: 'when space for recordings is running low',
    source_silent: `when a source has not been reached for ${durationOf(silent_minutes)}`,
  };
  return subjects[when];
}

function durationOf(minutes: number): string {
  if (minutes % 1_440 === 0) return `${minutes / 1_440} d`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
}

function listOf(names: readonly (string | undefined)[], last: 'or' | 'and'): string {
  const known = names.filter((name) => name !== undefined);
  if (known.length < 2) return known.join('');
  return `${known.slice(0, -1).join(', ')} ${last} ${known.at(-1)}`;
}
