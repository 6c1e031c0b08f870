import { Autocomplete, NumberInput, Select, Switch, TagsInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, hub } from '../api/client';
import { CamerasInput } from './cameras-input';
import { MappingInput } from './mapping-input';
import { SecretInput } from './secret-input';
import type { FieldKind, SettingField } from './setting-field';
import { optionText } from './setting-text';

/** What every way to enter a setting is given. */
export interface InputProps {
  readonly field: SettingField;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly label: string;
  readonly description: string;
  readonly error: string | undefined;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const listOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);

function PlainText({ field, value, onChange, ...shown }: InputProps) {
  return (
    <TextInput
      {...shown}
      value={textOf(value)}
      maxLength={field.schema.maxLength}
      placeholder={field.kind === 'clock' ? '22:00' : undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function Amount({ field, value, onChange, ...shown }: InputProps) {
  const { t } = useTranslation('settings');
  return (
    <NumberInput
      {...shown}
      value={typeof value === 'number' ? value : ''}
      onChange={onChange}
      allowDecimal={field.schema.type === 'number'}
      decimalScale={3}
      step={field.schema.maximum === 1 ? 0.05 : 1}
      suffix={field.unit === undefined ? '' : ` ${t(`unit.${field.unit}`)}`}
      maw={280}
    />
  );
}

function Toggle({ field: _, value, onChange, ...shown }: InputProps) {
  return (
    <Switch {...shown} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
  );
}

function Choice({ field, value, onChange, ...shown }: InputProps) {
  const { t } = useTranslation('settings');
  const data = (field.schema.enum ?? []).map((option) => ({ value: option, label: optionText(t, option) }));
  return (
    <Select
      {...shown}
      data={data}
      value={textOf(value)}
      onChange={onChange}
      allowDeselect={false}
      maw={360}
    />
  );
}

function Zone({ field: _, value, onChange, ...shown }: InputProps) {
  return (
    <Autocomplete
      {...shown}
      data={Intl.supportedValuesOf('timeZone')}
      limit={20}
      value={textOf(value)}
      onChange={onChange}
      maw={360}
    />
  );
}

function SpeciesNames({ field: _, value, onChange, ...shown }: InputProps) {
  const { t } = useTranslation('settings');
  const { data = [] } = useQuery({
    queryKey: ['species'],
    queryFn: ({ signal }) => answerOf(hub.GET('/api/ui/species', { signal })),
  });
  const names = [...new Set(data.map(({ name }) => name))];
  return (
    <TagsInput
      {...shown}
      data={names}
      limit={20}
      value={listOf(value)}
      onChange={onChange}
      placeholder={t('pick_species')}
      clearable
    />
  );
}

const inputs: Readonly<Record<FieldKind, (props: InputProps) => ReactNode>> = {
  text: PlainText,
  clock: PlainText,
  secret: SecretInput,
  number: Amount,
  switch: Toggle,
  choice: Choice,
  zone: Zone,
  species: SpeciesNames,
  mapping: MappingInput,
  cameras: CamerasInput,
};

/** Where a setting is entered, in the way that fits its kind. */
export function SettingInput(props: InputProps) {
  const Input = inputs[props.field.kind];
  return <Input {...props} />;
}
