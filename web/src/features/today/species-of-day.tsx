import { Anchor, Button, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './species-of-day.module.css';
import { SpeciesTile } from './species-tile';
import type { DaySummary } from './summarize-day';
import { earlierThisYearQuery } from './today-queries';

interface SpeciesOfDayProps {
  readonly day: string;
  readonly summary: DaySummary;
}

/** Tiles that fit the first screen. */
const atFirst = { phone: 6, desktop: 12 };

/** Every species of the day with its best picture; those first seen this year stand out. */
export function SpeciesOfDay({ day, summary }: SpeciesOfDayProps) {
  const { t } = useTranslation('today');
  const isWide = useMediaQuery('(min-width: 48em)', undefined, { getInitialValueInEffect: false });
  const [isWhole, setWhole] = useState(false);
  const { data: earlier } = useQuery(earlierThisYearQuery(day));
  const { species, nameless } = summary;
  const most = isWide ? atFirst.desktop : atFirst.phone;
  const hidden = isWhole ? 0 : Math.max(0, species.length - most);
  return (
    <section aria-label={t('species_of_day')}>
      <ul className={classes['tiles']}>
        {species.slice(0, species.length - hidden).map((one, place) => (
          <li key={one.species.id}>
            <SpeciesTile
              day={day}
              of={one}
              isNew={earlier !== undefined && !earlier.includes(one.species.id)}
              isUrgent={place < most}
            />
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <Button variant="light" fullWidth mt="sm" onClick={() => setWhole(true)}>
          {t('show_all_species', { count: species.length })}
        </Button>
      )}
      {nameless > 0 && (
        <Text size="sm" c="dimmed" mt="sm">
          {t('nameless', { count: nameless })}{' '}
          <Anchor inherit renderRoot={(props) => <Link to="/timeline" search={{ review: 1 }} {...props} />}>
            {t('name_them')}
          </Anchor>
        </Text>
      )}
    </section>
  );
}
