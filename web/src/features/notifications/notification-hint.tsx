import { CloseButton, Group, Paper, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DeviceNotifications } from './device-notifications';

/** Offers to turn notifications on for this device. */
export function NotificationHint({ onDismiss }: { readonly onDismiss: () => void }) {
  const { t } = useTranslation('notifications');
  return (
    <Paper component="section" p="md" radius="lg" bg="var(--card-background)" aria-label={t('offer')}>
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <Title order={2} size="h5">
          {t('offer')}
        </Title>
        <CloseButton aria-label={t('dismiss')} onClick={onDismiss} />
      </Group>
      <DeviceNotifications />
    </Paper>
  );
}
