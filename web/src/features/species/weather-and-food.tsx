import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useMeasures } from '../../lib/format';
import { groupWeather, skies } from './group-weather';
import { SectionCard } from './section-card';
import { ShareList } from './share-list';
import type { SpeciesSummary } from './species-queries';

/** By what weather the birds came. */
export function WeatherCard({ weather }: Pick<SpeciesSummary['stats'], 'weather'>) {
  const { t } = useTranslation('species');
  const { temperature } = useMeasures();
  const groups = groupWeather(weather);
  const steps = groups.temperatures.map(({ from, to, count }) => ({
    name: t('degrees', { from: temperature(from), to: temperature(to) }),
    count,
  }));
  return (
    <SectionCard title={t('weather')} note={t('newest_visits')}>
      <Stack gap="md">
        <ShareList rows={steps} />
        <ShareList rows={skies.map((sky) => ({ name: t(`sky_${sky}`), count: groups.skies[sky] }))} />
      </Stack>
    </SectionCard>
  );
}

/** What was on offer when the birds came. */
export function FoodCard({ food }: Pick<SpeciesSummary['stats'], 'food'>) {
  const { t } = useTranslation('species');
  return (
    <SectionCard title={t('food')} note={t('newest_visits')}>
      <ShareList rows={food} />
    </SectionCard>
  );
}
