import { Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { SpeciesPicture } from '../../components/pictures/species-picture';
import type { FindableSpecies, Species } from '../../lib/rank-species';
import { useFindableSpecies } from '../../lib/species-list';
import { overviewQuery } from '../today/today-queries';
import classes from './sightings.module.css';

const maxFrequent = 8;

/** The species of today, then those with the most visits. */
export function useFrequentSpecies(): readonly FindableSpecies[] {
  const all = useFindableSpecies();
  const { data: overview } = useQuery(overviewQuery());
  return useMemo(() => {
    const today = overview?.topSpecies.map(({ id }) => id) ?? [];
    const rank = ({ species: { id } }: FindableSpecies) => {
      const found = today.indexOf(id);
      return found === -1 ? today.length : found;
    };
    return (all ?? [])
      .filter(({ species }) => species.visits > 0)
      .sort((one, other) => rank(one) - rank(other) || other.species.visits - one.species.visits)
      .slice(0, maxFrequent);
  }, [all, overview]);
}

interface FrequentSpeciesProps {
  readonly frequent: readonly FindableSpecies[];
  readonly chosenId: number | undefined;
  readonly onChoose: (species: Species) => void;
}

/** Buttons with pictures of frequent species; renders nothing on a hub without visits. */
export function FrequentSpecies({ frequent, chosenId, onChoose }: FrequentSpeciesProps) {
  const { t } = useTranslation('sightings');
  if (frequent.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot scroll its content.
    <div className={classes['frequent']} role="group" aria-label={t('often_here')}>
      {frequent.map(({ species, name }) => (
        <UnstyledButton
          key={species.id}
          className={classes['bird']}
          aria-pressed={species.id === chosenId}
          onClick={() => onChoose(species)}
        >
          <SpeciesPicture url={species.image_url} alt="" ratio={1} sizes="76px" />
          <Text size="xs" lineClamp={2} lh={1.25}>
            {name}
          </Text>
        </UnstyledButton>
      ))}
    </div>
  );
}
