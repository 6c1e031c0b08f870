import {
  Checkbox,
  Chip,
  Group,
  Input,
  MultiSelect,
  NativeSelect,
  NumberInput,
  Stack,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { DecimalInput } from '../../components/decimal-input';
import { Disclosure } from '../../components/disclosure';
import { camerasQuery } from '../../lib/cameras';
import { useTimeFormat } from '../../lib/format';
import { useFindableSpecies } from '../../lib/species-list';
import { sourcesQuery } from '../sources/sources-queries';
import {
  birdTriggers,
  hubTriggers,
  isAboutHub,
  type RuleDraft,
  type RuleTrigger,
  weekdayName,
  weekdays,
} from './rule';
import type { RulePartProps } from './rule-editor';

const maxOptions = 40;
/** Dropdowns without portal and with native scrolling, for screen readers. */
const choices = { comboboxProps: { withinPortal: false }, withScrollArea: false } as const;
const scrolling = { options: { maxHeight: '14rem', overflowY: 'auto' } } as const;

/** Trigger of the rule, and its species. */
export function TriggerFields({ draft, onChange, problemOf }: RulePartProps) {
  const { t } = useTranslation('notifications');
  const options = (triggers: readonly RuleTrigger[]) =>
    triggers.map((value) => ({ value, label: t(`rule.when.${value}`) }));
  const { when } = draft;
  return (
    <Stack>
      <NativeSelect
        label={t('rule.when')}
        value={when}
        data-autofocus
        data={[
          { group: t('rule.about_birds'), items: options(birdTriggers) },
          { group: t('rule.about_hub'), items: options(hubTriggers) },
        ]}
        onChange={({ currentTarget }) => onChange({ when: currentTarget.value as RuleTrigger })}
      />
      {(when === 'first_of_season' || when === 'returns_after') && (
        <Amount field="after_days" max={3_650} {...{ draft, onChange, problemOf }} />
      )}
      {when === 'rare_here' && (
        <Amount field="rare_days" min={0} max={364} {...{ draft, onChange, problemOf }} />
      )}
      {(when === 'detector_silent' || when === 'source_silent') && (
        <Amount field="silent_minutes" min={5} max={43_200} {...{ draft, onChange, problemOf }} />
      )}
      {!isAboutHub(when) && <SpeciesField field="species" {...{ draft, onChange, problemOf }} />}
    </Stack>
  );
}

interface AmountProps extends RulePartProps {
  readonly field: 'after_days' | 'rare_days' | 'silent_minutes' | 'min_count';
  readonly min?: number;
  readonly max: number;
}

function Amount({ field, min = 1, max, draft, onChange, problemOf }: AmountProps) {
  const { t } = useTranslation('notifications');
  return (
    <NumberInput
      label={t(`rule.${field}`)}
      value={draft[field]}
      min={min}
      max={max}
      allowDecimal={false}
      error={problemOf(field)}
      styles={{ wrapper: { maxWidth: '12rem' } }}
      onChange={(value) => {
        if (typeof value === 'number') onChange({ [field]: value });
      }}
    />
  );
}

interface SpeciesFieldProps extends RulePartProps {
  readonly field: 'species' | 'except_species';
}

/** Species and families, searchable by any of their names. */
function SpeciesField({ field, draft, onChange, problemOf }: SpeciesFieldProps) {
  const { t } = useTranslation('notifications');
  const all = useFindableSpecies() ?? [];
  const isRequired = field === 'species' && draft.when === 'favourite_species';
  return (
    <MultiSelect
      {...choices}
      label={t(isRequired ? 'rule.favourites' : `rule.${field}`)}
      description={field === 'species' ? t('rule.species_help') : undefined}
      placeholder={
        draft[field].length === 0 && !isRequired && field === 'species' ? t('rule.all_species') : ''
      }
      data={all.map(({ species, name }) => ({ value: String(species.id), label: name }))}
      value={draft[field].map(String)}
      limit={maxOptions}
      searchable
      clearable
      hidePickedOptions
      nothingFoundMessage={t('rule.no_species')}
      error={problemOf(field)}
      clearButtonProps={{ 'aria-label': t('rule.clear') }}
      styles={scrolling}
      onChange={(ids) => onChange({ [field]: ids.map(Number) })}
    />
  );
}

/** Further conditions, collapsed unless they are used. */
export function ConditionFields(props: RulePartProps) {
  const { t } = useTranslation('notifications');
  const { draft } = props;
  return (
    <Disclosure label={t('rule.conditions')} isInitiallyOpen={hasConditions(draft)}>
      <Stack>
        {!isAboutHub(draft.when) && <BirdConditions {...props} />}
        <SourceChips {...props} />
        <TimeConditions {...props} />
        <LimitFields {...props} />
      </Stack>
    </Disclosure>
  );
}

function hasConditions(draft: RuleDraft): boolean {
  const { cameras, sources, except_species, weekdays: days, min_confidence, min_count } = draft;
  const lists = [cameras, sources, except_species, days];
  const hasTimes = draft.hours_start !== '' || draft.quiet_hours_start !== null || draft.once_per !== null;
  return (
    lists.some(({ length }) => length > 0) ||
    hasTimes ||
    min_confidence > 0 ||
    min_count > 1 ||
    draft.cooldown_seconds !== null ||
    draft.notify_corrections
  );
}

function BirdConditions({ draft, onChange, problemOf }: RulePartProps) {
  const { t } = useTranslation('notifications');
  const { percentSuffix } = useTimeFormat();
  const { data: cameras = [] } = useQuery(camerasQuery);
  const known = cameras.map(({ id, name }) => ({ value: id, label: name || id }));
  const others = draft.cameras.filter((id) => !known.some(({ value }) => value === id));
  return (
    <>
      <SpeciesField field="except_species" {...{ draft, onChange, problemOf }} />
      <Chips
        label={t('rule.cameras')}
        help={t('rule.cameras_help')}
        options={[...known, ...others.map((id) => ({ value: id, label: id }))]}
        value={draft.cameras}
        onChange={(value) => onChange({ cameras: value })}
      />
      <Group align="flex-start" grow preventGrowOverflow={false}>
        <NumberInput
          label={t('rule.min_confidence')}
          suffix={percentSuffix}
          value={Math.round(draft.min_confidence * 100)}
          min={0}
          max={100}
          step={5}
          allowDecimal={false}
          error={problemOf('min_confidence')}
          onChange={(value) => {
            if (typeof value === 'number') onChange({ min_confidence: value / 100 });
          }}
        />
        <Amount field="min_count" max={1_000} {...{ draft, onChange, problemOf }} />
      </Group>
    </>
  );
}

function SourceChips({ draft, onChange }: RulePartProps) {
  const { t } = useTranslation('notifications');
  const { data: sources = [] } = useQuery({ ...sourcesQuery, refetchInterval: false });
  if (draft.when === 'detector_silent' || draft.when === 'storage_short') return null;
  return (
    <Chips
      label={t('rule.sources')}
      help={t('rule.sources_help')}
      options={sources.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={draft.sources.map(String)}
      onChange={(value) => onChange({ sources: value.map(Number) })}
    />
  );
}

function TimeConditions({ draft, onChange, problemOf }: RulePartProps) {
  const { t, i18n } = useTranslation('notifications');
  const isOwnQuiet = draft.quiet_hours_start !== null;
  return (
    <>
      <Chips
        label={t('rule.weekdays')}
        options={weekdays.map((day) => ({ value: String(day), label: weekdayName(i18n.language, day) }))}
        value={draft.weekdays.map(String)}
        onChange={(value) => onChange({ weekdays: value.map(Number).sort() })}
      />
      <TimeSpan
        label={t('rule.hours')}
        start={draft.hours_start}
        end={draft.hours_end}
        error={problemOf('hours_start') ?? problemOf('hours_end')}
        onChange={(hours_start, hours_end) => onChange({ hours_start, hours_end })}
      />
      <Checkbox
        label={t('rule.own_quiet')}
        description={t('rule.own_quiet_help')}
        checked={isOwnQuiet}
        onChange={({ currentTarget: { checked } }) =>
          onChange({ quiet_hours_start: checked ? '' : null, quiet_hours_end: checked ? '' : null })
        }
      />
      {isOwnQuiet && (
        <TimeSpan
          label={t('rule.quiet')}
          start={draft.quiet_hours_start ?? ''}
          end={draft.quiet_hours_end ?? ''}
          error={problemOf('quiet_hours_start') ?? problemOf('quiet_hours_end')}
          onChange={(quiet_hours_start, quiet_hours_end) => onChange({ quiet_hours_start, quiet_hours_end })}
        />
      )}
    </>
  );
}

function LimitFields({ draft, onChange, problemOf }: RulePartProps) {
  const { t } = useTranslation('notifications');
  const { cooldown_seconds: cooldown } = draft;
  return (
    <>
      <NativeSelect
        label={t('rule.once_per')}
        value={draft.once_per ?? ''}
        data={[
          { value: '', label: t('rule.once.none') },
          { value: 'day', label: t('rule.once.day') },
          { value: 'week', label: t('rule.once.week') },
        ]}
        onChange={({ currentTarget }) =>
          onChange({ once_per: (currentTarget.value || null) as RuleDraft['once_per'] })
        }
      />
      <DecimalInput
        label={t('rule.cooldown')}
        description={t('rule.cooldown_help')}
        value={cooldown === null ? '' : cooldown / 60}
        min={0}
        max={43_200}
        decimalScale={1}
        error={problemOf('cooldown_seconds')}
        styles={{ wrapper: { maxWidth: '12rem' } }}
        onChange={(minutes) =>
          onChange({ cooldown_seconds: minutes === '' ? null : Math.round(minutes * 60) })
        }
      />
      {!isAboutHub(draft.when) && (
        <Checkbox
          label={t('rule.notify_corrections')}
          description={t('rule.notify_corrections_help')}
          checked={draft.notify_corrections}
          onChange={({ currentTarget }) => onChange({ notify_corrections: currentTarget.checked })}
        />
      )}
    </>
  );
}

interface TimeSpanProps {
  readonly label: string;
  readonly start: string;
  readonly end: string;
  readonly error: string | undefined;
  readonly onChange: (start: string, end: string) => void;
}

function TimeSpan({ label, start, end, error, onChange }: TimeSpanProps) {
  const { t } = useTranslation('notifications');
  return (
    <Input.Wrapper label={label} labelElement="div" error={error}>
      <Group gap="xs">
        <TextInput
          type="time"
          aria-label={t('rule.from', { label })}
          value={start}
          onChange={({ currentTarget }) => onChange(currentTarget.value, end)}
        />
        –
        <TextInput
          type="time"
          aria-label={t('rule.to', { label })}
          value={end}
          onChange={({ currentTarget }) => onChange(start, currentTarget.value)}
        />
      </Group>
    </Input.Wrapper>
  );
}

interface ChipsProps {
  readonly label: string;
  readonly help?: string;
  readonly options: readonly { readonly value: string; readonly label: ReactNode }[];
  readonly value: readonly string[];
  readonly onChange: (value: string[]) => void;
}

/** Multiple choice from a few options; renders nothing without options. */
export function Chips({ label, help, options, value, onChange }: ChipsProps) {
  const id = useId();
  if (options.length === 0) return null;
  return (
    <Input.Wrapper label={label} description={help} labelElement="div" labelProps={{ id }}>
      <Chip.Group multiple value={[...value]} onChange={onChange}>
        <Group gap="xs" mt={6} role="group" aria-labelledby={id}>
          {options.map((option) => (
            <Chip key={option.value} value={option.value} size="sm" variant="outline">
              {option.label}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  );
}
