import { CloseButton, Group, SegmentedControl, Select, Switch, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useSpeciesName } from '../../i18n/species-names';
import { type GallerySearch, sorts } from './gallery-search';
import type { Family } from './species-queries';

interface GalleryFiltersProps {
  readonly search: GallerySearch;
  /** Those that have species to show. */
  readonly families: readonly Family[];
}

/** What of the species is shown and in which order; all of it stands in the address. */
export function GalleryFilters({ search, families }: GalleryFiltersProps) {
  const { t, i18n } = useTranslation('species');
  const nameOf = useSpeciesName();
  const navigate = useNavigate();
  const change = (next: Record<string, unknown>) =>
    void navigate({ to: '/species', search: { ...search, ...next }, replace: true, resetScroll: false });
  const options = families
    .map(({ id, name }) => ({ value: String(id), label: nameOf(name) }))
    .sort((one, other) => one.label.localeCompare(other.label, i18n.resolvedLanguage));
  return (
    <Group mb="md" gap="sm" align="flex-end">
      <TextInput
        label={t('search')}
        placeholder={t('search_hint')}
        leftSection={<IconSearch size={18} aria-hidden />}
        rightSection={
          search.q && <CloseButton aria-label={t('clear')} onClick={() => change({ q: undefined })} />
        }
        type="search"
        flex="1 1 220px"
        value={search.q ?? ''}
        onChange={({ currentTarget }) => change({ q: currentTarget.value || undefined })}
      />
      <Select
        label={t('family')}
        placeholder={t('all_families')}
        data={options}
        value={search.family === undefined ? null : String(search.family)}
        onChange={(id) => change({ family: id === null ? undefined : Number(id) })}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('clear') }}
        flex="1 1 200px"
      />
      <SegmentedControl
        aria-label={t('sort')}
        value={search.sort ?? 'count'}
        onChange={(sort) => change({ sort: sort === 'count' ? undefined : sort })}
        data={sorts.map((value) => ({ value, label: t(`sort_${value}`) }))}
      />
      <Switch
        label={t('whole_catalogue')}
        py={8}
        checked={search.all === true}
        onChange={({ currentTarget }) => change({ all: currentTarget.checked || undefined })}
      />
    </Group>
  );
}
