import { CloseButton, Group, Paper, Title } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DeviceNotifications } from './device-notifications';
import { deviceQuery } from './device-queries';
import { worthOffering } from './worth-offering';

/** Offers messages to a device that has none, until somebody is done with the offer. */
export function NotificationHint() {
  const { t } = useTranslation('notifications');
  const [isDone, setDone] = useLocalStorage({ key: 'birdhub.notification-hint', defaultValue: false });
  const { data: state } = useQuery({ ...deviceQuery, enabled: !isDone });
  const [isOffered, setOffered] = useState(false);
  // Stays while the device is being switched on.
  if (!isOffered && worthOffering(state)) setOffered(true);
  if (isDone || !isOffered) return null;
  return (
    <Paper component="section" p="md" radius="lg" bg="var(--card-background)" aria-label={t('offer')}>
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <Title order={2} size="h5">
          {t('offer')}
        </Title>
        <CloseButton aria-label={t('dismiss')} onClick={() => setDone(true)} />
      </Group>
      <DeviceNotifications />
    </Paper>
  );
}
