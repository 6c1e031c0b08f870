import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../lib/clock';
import { useTimeFormat } from '../../lib/format';
import { statusIntervalMs, statusQuery } from '../../lib/hub-facts';
import { Card } from './card';
import { SystemLink } from './system-link';

/** How the processor that watches the feeder is, in words. */
export function HubCard() {
  const { t } = useTranslation('today');
  const { ago } = useTimeFormat();
  const now = useNow();
  const { data: status } = useQuery({ ...statusQuery, refetchInterval: statusIntervalMs });
  const lastSeen = status?.processor_last_seen;
  return (
    <Card title={t('watching')} aside={<SystemLink />}>
      <Text>{status ? t(`processor_${status.processor}`) : ' '}</Text>
      <Text size="sm" c="dimmed">
        {lastSeen ? t('last_heard', { ago: ago(lastSeen, now) }) : ' '}
      </Text>
    </Card>
  );
}
