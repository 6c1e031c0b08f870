import { Button, Checkbox, Chip, Group, Input, NativeSelect, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { SpeciesChoice } from '../../components/species-choice';
import { camerasQuery } from '../../lib/cameras';
import { useTimeFormat } from '../../lib/format';
import { useHiddenAnimals } from '../../lib/other-animals';
import classes from './filter-panel.module.css';
import type { TimelineFilters } from './timeline-search';

type Changes = { readonly [Name in keyof TimelineFilters]?: unknown };

interface FilterPanelProps {
  readonly filters: TimelineFilters;
  /** Sets filters; undefined or empty values remove them. */
  readonly onChange: (changes: Changes) => void;
  readonly onClear: () => void;
}

const confidences = [0.3, 0.5, 0.7, 0.9];

/** Filters of the timeline. */
export function FilterPanel({ filters, onChange, onClear }: FilterPanelProps) {
  const { t } = useTranslation('timeline');
  const { percent } = useTimeFormat();
  const { data: cameras = [] } = useQuery(camerasQuery);
  const [areAnimalsHidden, hideAnimals] = useHiddenAnimals();
  const { camera_id, min_confidence } = filters;
  const known = cameras.map(({ id, name }) => ({ value: id, label: name }));
  const isKnown = camera_id === undefined || known.some(({ value }) => value === camera_id);
  const shares = [...new Set([...confidences, min_confidence ?? 0.5])].sort();
  return (
    <search className={classes['panel']} aria-label={t('filters')}>
      <SpeciesChoice
        value={filters.species_id ?? null}
        onChoose={({ id }) => onChange({ species_id: id })}
        onClear={() => onChange({ species_id: undefined })}
      />
      <NativeSelect
        label={t('camera')}
        value={camera_id ?? ''}
        onChange={({ currentTarget }) => onChange({ camera_id: currentTarget.value })}
        data={[
          { value: '', label: t('any_camera') },
          ...known,
          ...(isKnown ? [] : [{ value: camera_id, label: camera_id }]),
        ]}
      />
      <NativeSelect
        label={t('source')}
        value={filters.source ?? ''}
        onChange={({ currentTarget }) => onChange({ source: currentTarget.value })}
        data={[
          { value: '', label: t('any_source') },
          { value: 'video', label: t('video') },
          { value: 'audio', label: t('audio') },
        ]}
      />
      <NativeSelect
        label={t('group')}
        value={filters.group ?? ''}
        onChange={({ currentTarget }) => onChange({ group: currentTarget.value })}
        data={[
          { value: '', label: t(areAnimalsHidden ? 'group_usual' : 'any_group') },
          { value: 'bird', label: t('group_bird') },
          { value: 'other_animal', label: t('group_other_animal') },
        ]}
      />
      <NativeSelect
        label={t('confidence')}
        value={min_confidence ?? ''}
        onChange={({ currentTarget }) => onChange({ min_confidence: currentTarget.value })}
        data={[
          { value: '', label: t('any_confidence') },
          ...shares.map((share) => ({ value: String(share), label: percent(share) })),
        ]}
      />
      <Input.Wrapper label={t('media_kind')} labelElement="div" className={classes['kinds']}>
        <Chip.Group
          value={filters.media_kind ?? ''}
          onChange={(kind) => onChange({ media_kind: kind || undefined })}
        >
          <Group gap={6} role="radiogroup" aria-label={t('media_kind')}>
            <Chip value="">{t('any_kind')}</Chip>
            <Chip value="video">{t('kind_video')}</Chip>
            <Chip value="audio">{t('kind_audio')}</Chip>
            <Chip value="image">{t('kind_image')}</Chip>
          </Group>
        </Chip.Group>
      </Input.Wrapper>
      <Checkbox
        mb={8}
        label={t('favorites')}
        checked={filters.favorite === true}
        onChange={({ currentTarget }) => onChange({ favorite: currentTarget.checked || undefined })}
      />
      <Switch
        mb={8}
        label={t('hide_animals')}
        description={t('hide_animals_hint')}
        checked={areAnimalsHidden}
        onChange={({ currentTarget }) => hideAnimals(currentTarget.checked)}
      />
      <Button variant="subtle" disabled={Object.keys(filters).length === 0} onClick={onClear}>
        {t('clear_filters')}
      </Button>
    </search>
  );
}
