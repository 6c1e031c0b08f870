import { Anchor } from '@mantine/core';
import { IconCamera, IconFeather, IconFilter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Chip, ChipRow } from '../../components/chips';
import { SpeciesPicture } from '../../components/pictures/species-picture';
import { useSpeciesName } from '../../i18n/species-names';
import { camerasQuery, useCameraName } from '../../lib/cameras';
import { useTimeFormat } from '../../lib/format';
import { speciesListQuery } from '../../lib/species-list';
import classes from './filter-chips.module.css';
import type { TimelineFilters } from './timeline-search';

interface FilterChipsProps {
  readonly filters: TimelineFilters;
  readonly onChange: (changes: { readonly [Name in keyof TimelineFilters]?: unknown }) => void;
  readonly isPanelOpen: boolean;
  readonly onPanel: () => void;
}

/** Maximum number of species with a chip. */
const maxSpecies = 12;

/** A row of chips for the most frequent species and the cameras, and a button for all filters. */
export function FilterChips({ filters, onChange, isPanelOpen, onPanel }: FilterChipsProps) {
  const { t } = useTranslation('timeline');
  const { hour } = useTimeFormat();
  const nameOf = useSpeciesName();
  const { data: species } = useQuery(speciesListQuery);
  const { data: cameras = [] } = useQuery(camerasQuery);
  const { species_id, camera_id } = filters;
  const chosen = useMemo(() => {
    const seen = (species ?? []).filter(({ visits, group }) => visits > 0 && group === 'bird');
    const top = seen.toSorted((one, other) => other.visits - one.visits).slice(0, maxSpecies);
    const own = species?.find(({ id }) => id === species_id);
    return own === undefined || top.includes(own) ? top : [own, ...top];
  }, [species, species_id]);
  const count = Object.keys(filters).length;
  return (
    <ChipRow label={t('quick_filters')}>
      <Chip
        isOn={count > 0}
        icon={<IconFilter size={16} stroke={1.6} aria-hidden />}
        aria-expanded={isPanelOpen}
        aria-controls="timeline-filters"
        onClick={onPanel}
      >
        {count === 0 ? t('filters') : t('filters_set', { count })}
      </Chip>
      {filters.hour !== undefined && (
        <Chip isOn onClick={() => onChange({ hour: undefined })}>
          {hour(filters.hour)}–{hour(filters.hour + 1)}
        </Chip>
      )}
      {cameras.length > 1 &&
        cameras.map(({ id, name }) => (
          <Chip
            key={id}
            isOn={camera_id === id}
            icon={<IconCamera size={16} stroke={1.6} aria-hidden />}
            onClick={() => onChange({ camera_id: camera_id === id ? undefined : id })}
          >
            {name}
          </Chip>
        ))}
      {camera_id !== undefined && <CameraLink id={camera_id} />}
      {chosen.map(({ id, name, image_url }) => (
        <Chip
          key={id}
          isOn={species_id === id}
          icon={
            <span className={classes['picture']}>
              {image_url ? (
                <SpeciesPicture url={image_url} alt="" ratio={1} sizes="24px" />
              ) : (
                <IconFeather size={16} stroke={1.6} aria-hidden />
              )}
            </span>
          }
          onClick={() => onChange({ species_id: species_id === id ? undefined : id })}
        >
          {nameOf(name)}
        </Chip>
      ))}
    </ChipRow>
  );
}

/** Link from the filter by camera to the page of the camera. */
function CameraLink({ id }: { readonly id: string }) {
  const { t } = useTranslation('timeline');
  const name = useCameraName()(id);
  return (
    <Anchor
      size="sm"
      className={classes['camera'] ?? ''}
      renderRoot={(props) => <Link to="/cameras/$id" params={{ id }} {...props} />}
    >
      {t('about_camera', { name })}
    </Anchor>
  );
}
