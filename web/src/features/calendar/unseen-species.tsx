import { Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CalendarSpecies } from './calendar-query';
import { SpeciesLink } from './species-link';
import classes from './unseen-species.module.css';

/** The rest of the catalogue: a list is lighter to read than rows of nothing. */
export function UnseenSpecies({ species }: { readonly species: readonly CalendarSpecies[] }) {
  const { t } = useTranslation('calendar');
  return (
    <section className={classes['section']}>
      <Title order={2} size="h4" mb="sm">
        {t('unseen', { count: species.length })}
      </Title>
      <ul className={classes['list']}>
        {species.map((one) => (
          <li key={one.id}>
            <SpeciesLink species={one} />
          </li>
        ))}
      </ul>
    </section>
  );
}
