import { Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSpeciesName } from '../../i18n/species-names';
import { SpeciesCard } from './species-card';
import classes from './species-card.module.css';
import type { SpeciesSummary } from './species-queries';

/** The kinds below a species; nothing where there are none. */
export function FormsSection({ subspecies }: Pick<SpeciesSummary, 'subspecies'>) {
  const { t } = useTranslation('species');
  const nameOf = useSpeciesName();
  if (subspecies.length === 0) return null;
  return (
    <section aria-labelledby="forms">
      <Title order={2} size="h4" id="forms" mt="lg" mb="sm">
        {t('forms')}
      </Title>
      <div className={classes['grid']}>
        {subspecies.map(({ species: { id, name, scientific_name, image_url } }) => (
          <SpeciesCard
            key={id}
            id={id}
            name={nameOf(name)}
            scientificName={scientific_name}
            imageUrl={image_url}
          />
        ))}
      </div>
    </section>
  );
}
