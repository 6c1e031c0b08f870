import { CloseButton, Group, Paper, Title } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type DeviceState, deviceQuery } from './device';
import { DeviceNotifications } from './device-notifications';

/** Offers notifications on a device without them, until dismissed. */
export function NotificationHint() {
  const { t } = useTranslation('notifications');
  const [isDone, setDone] = useLocalStorage({ key: 'birdhub.notification-hint', defaultValue: false });
  const { data: state } = useQuery({ ...deviceQuery, enabled: !isDone });
  const [isOffered, setOffered] = useState(false);
  // Stays visible while notifications are being switched on.
  if (!isOffered && shouldOffer(state)) setOffered(true);
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

/** Whether to offer notifications: when they are off, or possible after installation. */
function shouldOffer(state: DeviceState | undefined): boolean {
  return state === 'off' || state === 'needs_home_screen';
}
