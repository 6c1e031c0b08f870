import { ActionIcon, Button, Fieldset, Group, Input, Stack, Switch, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './list-inputs.module.css';
import type { InputProps } from './setting-field';

type Camera = Readonly<Record<string, unknown>>;

const isList = (value: unknown): value is Camera[] => Array.isArray(value);
const texts = { id: 'camera_id', name: 'camera_name', stream_url: 'camera_stream' } as const;
const textKeys = Object.keys(texts) as (keyof typeof texts)[];

/** List of cameras; other properties of a camera are kept. */
export function CamerasInput({ value, onChange, shown }: InputProps) {
  const { t } = useTranslation('settings');
  const cameras = isList(value) ? value : [];
  const edit = (index: number, part: Camera) =>
    onChange(cameras.map((camera, at) => (at === index ? { ...camera, ...part } : camera)));
  return (
    <Input.Wrapper {...shown} labelElement="div">
      <Stack gap="sm" mt="xs">
        {cameras.length === 0 && <Text c="dimmed">{t('no_cameras')}</Text>}
        {cameras.map((camera, index) => {
          const legend = t('camera', { number: index + 1 });
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the id of a camera is being typed.
            <Fieldset key={index} legend={legend}>
              <Stack gap="xs">
                {textKeys.map((key) => (
                  <TextInput
                    key={key}
                    label={t(texts[key])}
                    required={key === 'id'}
                    description={key === 'stream_url' ? t('camera_stream_help') : undefined}
                    value={String(camera[key] ?? '')}
                    onChange={(event) => edit(index, { [key]: event.currentTarget.value })}
                  />
                ))}
                <Group justify="space-between">
                  <Switch
                    label={t('camera_enabled')}
                    checked={camera['enabled'] !== false}
                    onChange={(event) => edit(index, { enabled: event.currentTarget.checked })}
                  />
                  <Button
                    variant="subtle"
                    color="red"
                    size="sm"
                    onClick={() => onChange(cameras.filter((_, at) => at !== index))}
                  >
                    {t('remove', { name: legend })}
                  </Button>
                </Group>
              </Stack>
            </Fieldset>
          );
        })}
        <Button
          variant="light"
          size="sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => onChange([...cameras, { id: '', enabled: true }])}
          style={{ alignSelf: 'flex-start' }}
        >
          {t('add')}
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}

interface Row {
  readonly id: number;
  readonly from: string;
  readonly to: string;
}

const rowsOf = (value: unknown): Row[] =>
  Object.entries(typeof value === 'object' && value !== null ? value : {}).map(([from, to], id) => ({
    id,
    from,
    to: String(to),
  }));

/** Incomplete rows are not stored. */
const mappingOf = (rows: readonly Row[]) =>
  Object.fromEntries(
    rows.filter(({ from, to }) => from !== '' && to !== '').map(({ from, to }) => [from, to]),
  );

/** Mapping from names to names: from the detector's to Birdhub's, or from those to eBird's. */
export function MappingInput({ field, value, onChange, shown }: InputProps) {
  const { t } = useTranslation('settings');
  const isForEbird = field.path === 'ebird.species_mapping';
  const [fromLabel, toLabel] = isForEbird ? [t('to_name'), t('ebird_name')] : [t('from_name'), t('to_name')];
  const [{ shownValue, rows }, setState] = useState(() => ({ shownValue: value, rows: rowsOf(value) }));
  // Stored elsewhere meanwhile.
  if (value !== shownValue) setState({ shownValue: value, rows: rowsOf(value) });
  const change = (next: Row[]) => {
    const mapping = mappingOf(next);
    setState({ shownValue: mapping, rows: next });
    onChange(mapping);
  };
  const edit = (id: number, part: Partial<Row>) =>
    change(rows.map((row) => (row.id === id ? { ...row, ...part } : row)));
  const nextId = Math.max(-1, ...rows.map(({ id }) => id)) + 1;
  return (
    <Input.Wrapper {...shown} labelElement="div">
      <Stack gap="xs" mt="xs" role="group" aria-label={shown.label}>
        {rows.map(({ id, from, to }) => (
          <div key={id} className={classes['row']}>
            <TextInput
              aria-label={fromLabel}
              placeholder={fromLabel}
              value={from}
              error={from === '' && to !== ''}
              onChange={(event) => edit(id, { from: event.currentTarget.value })}
            />
            <TextInput
              aria-label={toLabel}
              placeholder={toLabel}
              value={to}
              error={to === '' && from !== ''}
              onChange={(event) => edit(id, { to: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="red"
              size="lg"
              aria-label={t('remove', { name: from })}
              onClick={() => change(rows.filter((row) => row.id !== id))}
            >
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
          </div>
        ))}
        <Button
          variant="light"
          size="sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => setState({ shownValue, rows: [...rows, { id: nextId, from: '', to: '' }] })}
          style={{ alignSelf: 'flex-start' }}
        >
          {t('add')}
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}
