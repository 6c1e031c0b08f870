import { literals } from '@birdhub/shared/config';
import { invalidField, refused } from '@birdhub/shared/errors';
import { type Static, type TSchema, Type } from 'typebox';
import { type AlertRule, isHubTrigger, oncePeriods, ruleDefaults, ruleTriggers } from './alert-rule.js';
import { refusals } from './evaluate-rule.js';
import { checkTemplate, maxTemplateLength, placeholders } from './message-template.js';

const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const ids = (description: string) =>
  Type.Array(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), {
    maxItems: 500,
    uniqueItems: true,
    description,
  });
const timeOfDay = (description: string) =>
  Type.String({ pattern: '^$|^([01]\\d|2[0-3]):[0-5]\\d$', description });
const timeOrNull = (description: string) =>
  orNull(Type.String({ pattern: '^$|^([01]\\d|2[0-3]):[0-5]\\d$' }), description);

/** A character without control characters and lone surrogates. */
const plain = '[^\\p{Cc}\\p{Cs}]';

const fields = {
  name: Type.String({
    minLength: 1,
    maxLength: 80,
    pattern: `^(?=.*\\S)${plain}*$`,
    description: 'Name for people, in one line',
  }),
  enabled: Type.Boolean({ description: 'Whether it is followed' }),
  when: literals(ruleTriggers, {
    description:
      'What it tells of. `first_of_season`: the first visit after `after_days` days without one, or ever; `returns_after`: ' +
      'the same for a species that was here before; `rare_here`: a species with visits on at most `rare_days` of the ' +
      '365 days before; `rare_in_region`: one that nobody reported to eBird in the region within 30 days (needs a key); ' +
      '`favourite_species`: each visit of those in `species`; `detector_silent`, `storage_short`, `source_silent`: ' +
      'the hub itself',
  }),
  after_days: Type.Integer({
    minimum: 1,
    maximum: 3_650,
    description: 'Days of absence, of `first_of_season` and `returns_after`',
  }),
  rare_days: Type.Integer({
    minimum: 0,
    maximum: 364,
    description: 'Days with visits in the last 365, of `rare_here`',
  }),
  silent_minutes: Type.Integer({
    minimum: 5,
    maximum: 43_200,
    description: 'Minutes of silence, of `detector_silent` and `source_silent`',
  }),
  species: ids('Species by id; a family or genus stands for all within it; empty for all'),
  except_species: ids('Species, genera and families that it never tells of'),
  cameras: Type.Array(Type.String({ minLength: 1, maxLength: 64, pattern: `^${plain}*$` }), {
    maxItems: 100,
    uniqueItems: true,
    description: 'Cameras by id; empty for all',
  }),
  sources: ids('Sources by id; empty for all, and for what detectors post themselves'),
  min_confidence: Type.Number({
    minimum: 0,
    maximum: 1,
    description:
      'Confidence of the best detection of the visit at least; a visit that reaches it later is told then',
  }),
  min_count: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    description: 'Birds at once at least; a visit that grows to so many is told then',
  }),
  hours_start: timeOfDay(
    'Begin of the hours of visits, `HH:MM` in the zone of the hub; empty, or the same as the end, for the whole day',
  ),
  hours_end: timeOfDay('End of the hours of visits; before the begin when they span midnight'),
  weekdays: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
    maxItems: 7,
    uniqueItems: true,
    description: 'Days of the week, 1 for Monday to 7; empty for all',
  }),
  quiet_hours_start: timeOrNull(
    'Begin of the hours without messages; null for those of the settings, empty for none',
  ),
  quiet_hours_end: timeOrNull('End of the hours without messages; as the begin'),
  cooldown_seconds: orNull(
    Type.Integer({ minimum: 0, maximum: 2_592_000 }),
    'Least seconds between two messages of the rule about a species; null for `notifications.cooldown_seconds`, which ' +
      'counts the messages of all rules',
  ),
  once_per: orNull(
    literals(oncePeriods),
    'One message at most for a species in a day or a week (from Monday); null for no limit',
  ),
  channels: ids('Channels by id, a message to each; empty for every enabled one'),
  template: Type.String({
    maxLength: maxTemplateLength,
    pattern: `^(?:${plain}|[\\n\\r\\t])*$`,
    description:
      'The message as plain text: the first line is the title. It may have ' +
      `${placeholders.map((name) => `\`{${name}}\``).join(', ')}; empty for the message of the hub`,
  }),
  tell_corrections: Type.Boolean({
    description: 'Whether a message is followed by a correction, once, when a person corrects the species',
  }),
};

const { name, when, ...optional } = fields;

/** A new rule; absent fields have defaults. */
export const RuleBodySchema = Type.Object(
  { name, when, ...Type.Partial(Type.Object(optional)).properties },
  { additionalProperties: false },
);

export type RuleBody = Static<typeof RuleBodySchema>;

/** A change of a rule. */
export const RuleChangeSchema = Type.Object(
  {
    ...Type.Partial(Type.Object(fields)).properties,
    position: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000, description: 'Its place among the rules, from 1' }),
    ),
  },
  { additionalProperties: false },
);

/** A rule in responses. */
export const RuleSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the rule' }),
    ...fields,
    summary: Type.String({ description: 'What it says, as an English sentence' }),
  },
  { $id: 'AlertRule' },
);

export const RuleParamsSchema = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Id of the rule' }),
});

export const RuleDeletedSchema = Type.Object(
  { message: Type.String({ description: 'What was done, for a person' }) },
  { $id: 'AlertRuleDeleted' },
);

/** The body of a preview. */
export const PreviewBodySchema = Type.Object(
  {
    rule: Type.Object(RuleBodySchema.properties, {
      additionalProperties: false,
      description: 'The rule; it need not be stored',
    }),
    days: Type.Optional(
      Type.Integer({ default: 7, minimum: 1, maximum: 92, description: 'Days up to now that are looked at' }),
    ),
  },
  { additionalProperties: false },
);

const visitFields = {
  visit_id: orNull(Type.Integer(), 'The visit; null for what is not about one'),
  video_id: orNull(Type.Integer(), 'Recording that the visit started with'),
  species_id: orNull(Type.Integer(), 'Its species'),
};

/** The messages that a rule would have sent. */
export const PreviewSchema = Type.Object(
  {
    would_send: Type.Integer({ description: 'Messages that it would have sent' }),
    days: Type.Integer({ description: 'Days that were looked at' }),
    complete: Type.Boolean({
      description: 'False when there were too many visits and only the newest were looked at',
    }),
    known: Type.Boolean({
      description:
        'False when the past cannot tell: storage and sources that fell silent, or no list of the region',
    }),
    summary: Type.String({ description: 'What the rule says, as an English sentence' }),
    examples: Type.Array(
      Type.Object({
        ...visitFields,
        at: Type.String({ format: 'date-time', description: 'When the bird came, or the silence began' }),
        title: Type.String({ description: 'Title of the message' }),
        body: Type.String({ description: 'Text of the message' }),
      }),
      { description: 'The newest ten of them, newest first' },
    ),
  },
  { $id: 'AlertRulePreview' },
);

export type Preview = Static<typeof PreviewSchema>;

/** Reasons that apply to all rules. */
const hubReasons = ['notifications_off', 'too_old', 'excluded_species', 'no_rules', 'told_already'] as const;

/** A bird and the verdict of each rule. */
export const LogEntrySchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the entry' }),
    kind: literals(['visit', 'notice', 'hub'], {
      description: '`notice`: announced by a detector before its recording; `hub`: about the hub itself',
    }),
    at: Type.String({ format: 'date-time', description: 'When the bird came' }),
    logged_at: Type.String({ format: 'date-time', description: 'When the rules were looked at' }),
    title: Type.String({ description: 'Species, or what it is about' }),
    ...visitFields,
    told: Type.Boolean({ description: 'Whether a message was sent' }),
    reason: orNull(literals(hubReasons), 'Why no rule was looked at; null when they were'),
    verdicts: Type.Array(
      Type.Object({
        rule_id: Type.Integer({ description: 'The rule' }),
        rule_name: Type.String({ description: 'Its name at that time' }),
        told: Type.Boolean({ description: 'Whether it sent a message' }),
        refusal: orNull(literals(refusals), 'The condition that said no; null when it sent one'),
      }),
      { description: 'Rule by rule, in their order' },
    ),
  },
  { $id: 'AlertLogEntry' },
);

export type LogEntry = Static<typeof LogEntrySchema>;

export const LogSchema = Type.Object(
  {
    entries: Type.Array(LogEntrySchema, { description: 'Newest first' }),
    next_cursor: orNull(Type.Integer(), '`cursor` of the next page; null on the last'),
  },
  { $id: 'AlertLog' },
);

export const LogQuerySchema = Type.Object({
  limit: Type.Integer({ default: 50, minimum: 1, maximum: 200, description: 'Maximum number of entries' }),
  cursor: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Entries before this one, as `next_cursor` of the page before',
    }),
  ),
  told: Type.Optional(Type.Boolean({ description: 'Only those that were told, or that were not' })),
});

/** Applies defaults. */
export const withDefaults = (body: RuleBody): AlertRule => ({ ...ruleDefaults, ...body });

/**
 * Validates what the schema cannot express, and returns the rule; paths begin with `prefix`.
 * @throws HubError invalid_request naming the field
 */
export function checkRule<R extends AlertRule>(rule: R, prefix = ''): R {
  checkTemplate(rule.template, `${prefix}/template`);
  requireBoth(rule, 'hours_start', 'hours_end', prefix);
  requireBoth(rule, 'quiet_hours_start', 'quiet_hours_end', prefix);
  if (rule.when === 'favourite_species' && rule.species.length === 0)
    throw refused(`${prefix}/species`, 'favourites_needed');
  if (!isHubTrigger(rule.when)) return rule;
  const narrowing = ['species', 'except_species', 'cameras'] as const;
  for (const field of narrowing)
    if (rule[field].length > 0) throw invalidField(`${prefix}/${field}`, `does not go with ${rule.when}`);
  return rule;
}

function requireBoth<K extends 'hours_start' | 'hours_end' | 'quiet_hours_start' | 'quiet_hours_end'>(
  rule: AlertRule,
  start: K,
  end: K,
  prefix: string,
): void {
  const kindOf = (time: string | null) => (time === null ? 'inherited' : time === '' ? 'none' : 'set');
  if (kindOf(rule[start]) !== kindOf(rule[end]))
    throw refused(`${prefix}/${end}`, 'both_ends', { other: start });
}
