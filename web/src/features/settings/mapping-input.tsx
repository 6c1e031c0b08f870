import { ActionIcon, Button, Input, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './mapping-input.module.css';
import type { InputProps } from './setting-input';

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

/** Rows without a name to begin with are not stored yet. */
const mappingOf = (rows: readonly Row[]) =>
  Object.fromEntries(
    rows.filter(({ from, to }) => from !== '' && to !== '').map(({ from, to }) => [from, to]),
  );

/** Names, each with the one that stands for it. */
export function MappingInput({ value, onChange, shown }: InputProps) {
  const { t } = useTranslation('settings');
  const [rows, setRows] = useState(() => rowsOf(value));
  const change = (next: Row[]) => {
    setRows(next);
    onChange(mappingOf(next));
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
              aria-label={t('from_name')}
              placeholder={t('from_name')}
              value={from}
              error={from === '' && to !== ''}
              onChange={(event) => edit(id, { from: event.currentTarget.value })}
            />
            <TextInput
              aria-label={t('to_name')}
              placeholder={t('to_name')}
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
          onClick={() => setRows([...rows, { id: nextId, from: '', to: '' }])}
          style={{ alignSelf: 'flex-start' }}
        >
          {t('add')}
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}
