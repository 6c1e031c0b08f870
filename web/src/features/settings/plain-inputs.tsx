import { Autocomplete, NumberInput, Select, Switch, TagsInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { speciesListQuery } from '../../lib/species-list';
import type { InputProps } from './setting-input';
import { optionText } from './setting-text';

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const listOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
/** The field itself is as wide as what goes into it; its help takes the whole line. */
const within = (maxWidth: string) => ({ wrapper: { maxWidth } });
/** Choices open as a part of the form, and the list scrolls by itself, for those who hear the page. */
const choices = {
  comboboxProps: { withinPortal: false },
  withScrollArea: false,
} as const;
const scrolling = { options: { maxHeight: '14rem', overflowY: 'auto' } } as const;

export function TextField({ field, value, onChange, shown }: InputProps) {
  return (
    <TextInput
      {...shown}
      value={textOf(value)}
      maxLength={field.schema.maxLength}
      type={field.kind === 'clock' ? 'time' : 'text'}
      onChange={(event) => onChange(event.currentTarget.value)}
      styles={within(field.kind === 'clock' ? '9rem' : '32rem')}
    />
  );
}

export function NumberField({ field, value, onChange, shown }: InputProps) {
  const { t } = useTranslation('settings');
  const amount = typeof value === 'number' ? value : undefined;
  return (
    <NumberInput
      {...shown}
      value={amount ?? ''}
      allowedDecimalSeparators={[',', '.']}
      onChange={onChange}
      allowDecimal={field.schema.type === 'number'}
      decimalScale={3}
      step={field.schema.maximum === 1 ? 0.05 : 1}
      suffix={field.unit === undefined ? '' : ` ${t(`unit.${field.unit}`, { count: amount ?? 0 })}`}
      styles={within('14rem')}
    />
  );
}

export function SwitchField({ value, onChange, shown }: InputProps) {
  return (
    <Switch {...shown} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
  );
}

export function ChoiceField({ field, value, onChange, shown }: InputProps) {
  const { t } = useTranslation('settings');
  const data = (field.schema.enum ?? []).map((option) => ({ value: option, label: optionText(t, option) }));
  return (
    <Select
      {...shown}
      {...choices}
      data={data}
      value={textOf(value)}
      onChange={onChange}
      allowDeselect={false}
      styles={{ ...within('22rem'), ...scrolling }}
    />
  );
}

export function ZoneField({ value, onChange, shown }: InputProps) {
  return (
    <Autocomplete
      {...shown}
      {...choices}
      data={Intl.supportedValuesOf('timeZone')}
      limit={20}
      value={textOf(value)}
      onChange={onChange}
      styles={{ ...within('22rem'), ...scrolling }}
    />
  );
}

export function SpeciesField({ value, onChange, shown }: InputProps) {
  const { t } = useTranslation('settings');
  const { data = [] } = useQuery(speciesListQuery);
  const names = [...new Set(data.map(({ name }) => name))];
  return (
    <TagsInput
      {...shown}
      {...choices}
      data={names}
      limit={20}
      value={listOf(value)}
      onChange={onChange}
      placeholder={t('pick_species')}
      clearable
      styles={scrolling}
      clearButtonProps={{ 'aria-label': t('clear_all') }}
    />
  );
}
