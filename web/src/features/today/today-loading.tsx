import { Skeleton, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './species-of-day.module.css';
import tile from './species-tile.module.css';

/** Holds the places of the species of the day. */
export function TodayLoading() {
  const { t } = useTranslation('components');
  return (
    <Stack gap="md" role="status" aria-label={t('loading')}>
      <Skeleton height="1.55rem" width="16rem" />
      <div className={classes['tiles']}>
        {Array.from({ length: 6 }, (_, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the places are all the same.
          <div key={place} className={tile['tile']}>
            <Skeleton style={{ aspectRatio: 16 / 10 }} radius={0} />
            <div className={tile['words']}>
              <Skeleton height="2.5rem" />
              <Skeleton height="1.4rem" />
            </div>
          </div>
        ))}
      </div>
    </Stack>
  );
}
