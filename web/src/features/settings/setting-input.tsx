import {
  Autocomplete,
  Button,
  Group,
  MultiSelect,
  PasswordInput,
  Select,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DecimalInput } from '../../components/decimal-input';
import { useSpeciesName } from '../../i18n/species-names';
import { speciesListQuery } from '../../lib/species-list';
import { useChannels } from '../notifications/channels';
import { weekdayName, weekdays } from '../notifications/rule';
import { CamerasInput, MappingInput } from './list-inputs';
import type { FieldKind, InputProps } from './setting-field';
import { optionText } from './setting-text';

const inputs: Readonly<Record<FieldKind, (props: InputProps) => ReactNode>> = {
  text: TextField,
  clock: TextField,
  secret: SecretInput,
  number: NumberField,
  switch: SwitchField,
  choice: ChoiceField,
  zone: ZoneField,
  species: SpeciesField,
  mapping: MappingInput,
  cameras: CamerasInput,
  channels: ChannelsField,
  weekday: WeekdayField,
};

/** Input for a setting by its kind. */
export function SettingInput(props: InputProps) {
  const Input = inputs[props.field.kind];
  return <Input {...props} />;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const listOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
/** Limits the width of the input, not of its description. */
const maxInputWidth = (maxWidth: string) => ({ wrapper: { maxWidth } });
/** Dropdowns without portal and with native scrolling, for screen readers. */
const choices = {
  comboboxProps: { withinPortal: false },
  withScrollArea: false,
} as const;
const scrolling = { options: { maxHeight: '14rem', overflowY: 'auto' } } as const;

function TextField({ field, value, onChange, shown }: InputProps) {
  return (
    <TextInput
      {...shown}
      value={textOf(value)}
      maxLength={field.schema.maxLength}
      type={field.kind === 'clock' ? 'time' : 'text'}
      onChange={(event) => onChange(event.currentTarget.value)}
      styles={maxInputWidth(field.kind === 'clock' ? '9rem' : '32rem')}
    />
  );
}

function NumberField({ field, value, onChange, shown }: InputProps) {
  const { t } = useTranslation('settings');
  const amount = typeof value === 'number' ? value : '';
  return (
    <DecimalInput
      {...shown}
      value={amount}
      onChange={onChange}
      allowDecimal={field.schema.type === 'number'}
      decimalScale={3}
      step={field.schema.maximum === 1 ? 0.05 : 1}
      suffix={field.unit === undefined ? '' : ` ${t(`unit.${field.unit}`, { count: Number(amount) })}`}
      styles={maxInputWidth('14rem')}
    />
  );
}

function SwitchField({ value, onChange, shown }: InputProps) {
  return (
    <Switch {...shown} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
  );
}

function ChoiceField({ field, value, onChange, shown }: InputProps) {
  const { t } = useTranslation('settings');
  const data = (field.schema.enum ?? []).map((option) => ({
    value: option,
    label: optionText(t, field.path, option),
  }));
  return (
    <Select
      {...shown}
      {...choices}
      data={data}
      value={textOf(value)}
      onChange={onChange}
      allowDeselect={false}
      styles={{ ...maxInputWidth('22rem'), ...scrolling }}
    />
  );
}

function WeekdayField({ value, onChange, shown }: InputProps) {
  const { i18n } = useTranslation('settings');
  const data = weekdays.map((day) => ({
    value: String(day),
    label: weekdayName(i18n.language, day, 'long'),
  }));
  return (
    <Select
      {...shown}
      {...choices}
      data={data}
      value={String(value)}
      onChange={(day) => onChange(Number(day))}
      allowDeselect={false}
      styles={{ ...maxInputWidth('22rem'), ...scrolling }}
    />
  );
}

function ChannelsField({ value, onChange, shown }: InputProps) {
  const channels = useChannels();
  return (
    <MultiSelect
      {...shown}
      {...choices}
      data={channels.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={listOf(value)}
      onChange={(ids) => onChange(ids.map(Number))}
      styles={{ ...maxInputWidth('32rem'), ...scrolling }}
    />
  );
}

function ZoneField({ value, onChange, shown }: InputProps) {
  return (
    <Autocomplete
      {...shown}
      {...choices}
      data={Intl.supportedValuesOf('timeZone')}
      limit={20}
      value={textOf(value)}
      onChange={onChange}
      styles={{ ...maxInputWidth('22rem'), ...scrolling }}
    />
  );
}

function SpeciesField({ value, onChange, shown }: InputProps) {
  const { t } = useTranslation('settings');
  const { data = [] } = useQuery(speciesListQuery);
  const nameOf = useSpeciesName();
  const chosen = listOf(value);
  // By their names in the page's language; the stored names are English, or those of a detector.
  const named = new Map([...data.map(({ name }) => name), ...chosen].map((name) => [nameOf(name), name]));
  return (
    <TagsInput
      {...shown}
      {...choices}
      data={[...named.keys()]}
      limit={20}
      value={chosen.map(nameOf)}
      onChange={(names) => onChange(names.map((name) => named.get(name) ?? name))}
      placeholder={t('pick_species')}
      clearable
      styles={scrolling}
      clearButtonProps={{ 'aria-label': t('clear_all') }}
    />
  );
}

/** Placeholder for a stored secret, in responses and requests. */
const masked = '***';

/** A write-only secret: keep, replace or remove. */
function SecretInput({ field, stored, value, onChange, shown }: InputProps) {
  const { t } = useTranslation('settings');
  const isSet = stored === masked;
  const typed = typeof value !== 'string' || value === masked ? '' : value;
  const willBeRemoved = isSet && value === '';
  return (
    <div>
      <PasswordInput
        {...shown}
        autoComplete="new-password"
        // The first thing to do in this section while there is no password.
        autoFocus={field.path === 'general.settings_password' && stored === ''}
        maxLength={field.schema.maxLength}
        placeholder={isSet ? t('secret_replace') : undefined}
        value={typed}
        // An emptied field keeps the stored secret.
        onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? stored : currentTarget.value)}
        styles={{ wrapper: { maxWidth: '26rem' } }}
      />
      {isSet && typed === '' && (
        <Group gap="xs" mt={4}>
          <Text size="sm" c="dimmed" role="status">
            {t(willBeRemoved ? 'secret_will_go' : 'secret_set')}
          </Text>
          <Button
            variant="subtle"
            size="compact-sm"
            color={willBeRemoved ? 'moss' : 'red'}
            aria-label={`${t(willBeRemoved ? 'keep' : 'secret_clear')}: ${shown.label}`}
            onClick={() => onChange(willBeRemoved ? stored : '')}
          >
            {t(willBeRemoved ? 'keep' : 'secret_clear')}
          </Button>
        </Group>
      )}
    </div>
  );
}
