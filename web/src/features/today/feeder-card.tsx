import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from './card';
import { DispenseButton } from './dispense-button';
import { FoodOffered } from './food-offered';
import { SettingsLink } from './settings-link';
import { feedQuery } from './today-queries';

/** The feeder: a portion by hand, and which food is out. */
export function FeederCard() {
  const { t } = useTranslation('today');
  const { data: feed } = useQuery(feedQuery);
  return (
    <Card title={t('feeder')}>
      {feed?.feed_source === 'none' ? (
        <Text size="sm" c="dimmed">
          {t('no_feeder')} <SettingsLink />
        </Text>
      ) : (
        <DispenseButton feed={feed} />
      )}
      <FoodOffered />
    </Card>
  );
}
