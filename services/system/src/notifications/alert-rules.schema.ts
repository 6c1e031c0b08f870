import { literals } from '@birdhub/shared/config';
import { refused } from '@birdhub/shared/errors';
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
    description: 'Display name, a single line',
  }),
  enabled: Type.Boolean({ description: 'Whether the rule is enabled' }),
  when: literals(ruleTriggers, {
    description:
      'What triggers the rule. `first_of_season`: the first visit after `after_days` days without a visit, ' +
      'or the first ever; `returns_after`: the same, but only for species with earlier visits; ' +
      '`rare_here`: a species with visits on at most `rare_days` of the previous 365 days; ' +
      '`rare_in_region`: a species not reported to eBird in the region within 30 days (requires a key); ' +
      '`favourite_species`: each visit of the species in `species`; `detector_silent`, `storage_short`, ' +
      '`source_silent`: a problem of the hub itself',
  }),
  after_days: Type.Integer({
    minimum: 1,
    maximum: 3_650,
    description: 'Days of absence for `first_of_season` and `returns_after`',
  }),
  rare_days: Type.Integer({
    minimum: 0,
    maximum: 364,
    description: 'Maximum number of days with visits in the last 365 days for `rare_here`',
  }),
  silent_minutes: Type.Integer({
    minimum: 5,
    maximum: 43_200,
    description: 'Minutes of silence for `detector_silent` and `source_silent`',
  }),
  species: ids('Species ids; a family or genus includes all species within it. Empty for all'),
  except_species: ids('Ids of the species, genera and families that the rule ignores'),
  cameras: Type.Array(Type.String({ minLength: 1, maxLength: 64, pattern: `^${plain}*$` }), {
    maxItems: 100,
    uniqueItems: true,
    description: 'Camera ids; empty for all',
  }),
  sources: ids('Source ids; empty for all, including detectors that post directly'),
  min_confidence: Type.Number({
    minimum: 0,
    maximum: 1,
    description:
      'Minimum confidence of the best detection of the visit; a visit that reaches it later triggers the ' +
      'rule then',
  }),
  min_count: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    description:
      'Minimum number of birds at the same time; a visit that reaches it later triggers the rule then',
  }),
  hours_start: timeOfDay(
    'Start of the hours of visits, `HH:MM` in the time zone of the hub; empty or equal to the end for the ' +
      'whole day',
  ),
  hours_end: timeOfDay('End of the hours of visits; before the start if they span midnight'),
  weekdays: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
    maxItems: 7,
    uniqueItems: true,
    description: 'Days of the week, from 1 (Monday) to 7 (Sunday); empty for all',
  }),
  quiet_hours_start: timeOrNull(
    'Start of the quiet hours; null for the quiet hours in the settings, empty for none',
  ),
  quiet_hours_end: timeOrNull('End of the quiet hours; null or empty like the start'),
  cooldown_seconds: orNull(
    Type.Integer({ minimum: 0, maximum: 2_592_000 }),
    'Minimum seconds between two messages of the rule about the same species; null for ' +
      '`notifications.cooldown_seconds`, which counts the messages of all rules',
  ),
  once_per: orNull(
    literals(oncePeriods),
    'Sends at most one message per species in a day or a week (starting on Monday); null for no limit',
  ),
  channels: ids('Ids of the channels that receive the message; empty for all enabled channels'),
  template: Type.String({
    maxLength: maxTemplateLength,
    pattern: `^(?:${plain}|[\\n\\r\\t])*$`,
    description:
      'Message as plain text; the first line is the title. Empty for the default message. Placeholders: ' +
      placeholders.map((name) => `\`{${name}}\``).join(', '),
  }),
  notify_corrections: Type.Boolean({
    description: 'Whether to send a correction, at most once per message, when a user corrects the species',
  }),
};

const { name, when, ...rest } = fields;
const optional = Type.Partial(Type.Object(rest)).properties;
// Published for clients that edit new rules.
for (const [field, value] of Object.entries(ruleDefaults))
  Object.assign(optional[field as keyof typeof optional], { default: value });

/** A new rule; absent fields have defaults. */
export const RuleBodySchema = Type.Object({ name, when, ...optional }, { additionalProperties: false });

export type RuleBody = Static<typeof RuleBodySchema>;

/** A change of a rule. */
export const RuleChangeSchema = Type.Object(
  {
    ...Type.Partial(Type.Object(fields)).properties,
    position: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000, description: 'Position of the rule, starting at 1' }),
    ),
  },
  { additionalProperties: false },
);

/** A rule in responses. */
export const RuleSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the rule' }),
    ...fields,
    summary: Type.String({ description: 'The rule as an English sentence' }),
  },
  { $id: 'AlertRule' },
);

export const RuleParamsSchema = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Id of the rule' }),
});

export const RuleDeletedSchema = Type.Object(
  { message: Type.String({ description: 'Human-readable result' }) },
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
      Type.Integer({
        default: 7,
        minimum: 1,
        maximum: 92,
        description: 'Number of days before now to evaluate',
      }),
    ),
  },
  { additionalProperties: false },
);

const visitFields = {
  visit_id: orNull(Type.Integer(), 'Id of the visit; null when there is none'),
  video_id: orNull(Type.Integer(), 'Id of the first recording of the visit'),
  species_id: orNull(Type.Integer(), 'Id of the species'),
};

/** The messages that a rule would have sent. */
export const PreviewSchema = Type.Object(
  {
    would_send: Type.Integer({ description: 'Number of messages that the rule would have sent' }),
    days: Type.Integer({ description: 'Number of days evaluated' }),
    complete: Type.Boolean({
      description: 'False when there were too many visits, so that only the newest were evaluated',
    }),
    known: Type.Boolean({
      description:
        'False when past data is not sufficient: for `storage_short`, `source_silent`, or without a ' +
        'species list of the region',
    }),
    summary: Type.String({ description: 'The rule as an English sentence' }),
    examples: Type.Array(
      Type.Object({
        ...visitFields,
        at: Type.String({ format: 'date-time', description: 'Start of the visit or of the silence' }),
        title: Type.String({ description: 'Title of the message' }),
        body: Type.String({ description: 'Text of the message' }),
      }),
      { description: 'The last ten of these messages, newest first' },
    ),
  },
  { $id: 'AlertRulePreview' },
);

export type Preview = Static<typeof PreviewSchema>;

/** Reasons that apply to all rules. */
const hubReasons = [
  'notifications_off',
  'too_old',
  'excluded_species',
  'no_rules',
  'already_notified',
] as const;

/** A bird and the verdict of each rule. */
const LogEntrySchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the entry' }),
    kind: literals(['visit', 'notice', 'hub'], {
      description:
        '`visit`: a visit; `notice`: a detection reported before its recording is finished; `hub`: a ' +
        'problem of the hub itself',
    }),
    at: Type.String({ format: 'date-time', description: 'Time of the visit, notice or problem' }),
    logged_at: Type.String({ format: 'date-time', description: 'When the rules were evaluated' }),
    title: Type.String({ description: 'Name of the species, or the title of the problem' }),
    ...visitFields,
    notified: Type.Boolean({ description: 'Whether a message was sent' }),
    reason: orNull(literals(hubReasons), 'Why no rule was evaluated; null when rules were evaluated'),
    verdicts: Type.Array(
      Type.Object({
        rule_id: Type.Integer({ description: 'Id of the rule' }),
        rule_name: Type.String({ description: 'Name of the rule at that time' }),
        notified: Type.Boolean({ description: 'Whether the rule sent a message' }),
        refusal: orNull(literals(refusals), 'Condition that was not met; null when the rule sent a message'),
      }),
      { description: 'Result of each rule, in the order of the rules' },
    ),
  },
  { $id: 'AlertLogEntry' },
);

export type LogEntry = Static<typeof LogEntrySchema>;

export const LogSchema = Type.Object(
  {
    entries: Type.Array(LogEntrySchema, { description: 'Entries, newest first' }),
    next_cursor: orNull(Type.Integer(), '`cursor` of the next page; null on the last page'),
  },
  { $id: 'AlertLog' },
);

export const LogQuerySchema = Type.Object({
  limit: Type.Integer({ default: 50, minimum: 1, maximum: 200, description: 'Maximum number of entries' }),
  cursor: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: '`next_cursor` of the previous page',
    }),
  ),
  notified: Type.Optional(
    Type.Boolean({ description: 'Only sent notifications (`true`), or only suppressed ones (`false`)' }),
  ),
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
    if (rule[field].length > 0)
      throw refused(`${prefix}/${field}`, 'not_with_trigger', { trigger: rule.when });
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
