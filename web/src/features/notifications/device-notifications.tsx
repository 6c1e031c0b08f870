import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconBellRinging } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { DeviceProblem } from './device-problem';
import { TestMessage } from './test-message';
import { useDevice } from './use-device';

/** Messages to this device when a bird comes: what they are, and the switch. */
export function DeviceNotifications() {
  const { t } = useTranslation('notifications');
  const { state, error, refetch, on, off, wake, isHubSilent } = useDevice();
  if (error !== null) {
    return (
      <Stack align="start" gap="xs">
        <DeviceProblem error={error} />
        <Button variant="light" onClick={() => void refetch()}>
          {t('retry')}
        </Button>
      </Stack>
    );
  }
  if (state === undefined) return <Skeleton height="5.5rem" />;
  if (state === 'off') {
    return (
      <Stack align="start" gap="xs">
        <Text size="sm">{t('off')}</Text>
        <Button
          leftSection={<IconBellRinging size={18} aria-hidden />}
          loading={on.isPending}
          onClick={() => on.mutate()}
        >
          {t('switch_on')}
        </Button>
        <DeviceProblem error={on.error} />
      </Stack>
    );
  }
  if (state !== 'on') {
    return (
      <Alert color="yellow" title={t(`${state}_title`)}>
        {t(state)}
      </Alert>
    );
  }
  return (
    <Stack align="start" gap="xs">
      <Text size="sm">{t('on')}</Text>
      {isHubSilent && (
        <Alert color="yellow" title={t('hub_silent')}>
          <Button size="compact-md" variant="light" loading={wake.isPending} onClick={() => wake.mutate()}>
            {t('let_hub_tell')}
          </Button>
        </Alert>
      )}
      <Group gap="xs" align="start">
        <TestMessage />
        <Button variant="subtle" loading={off.isPending} onClick={() => off.mutate()}>
          {t('switch_off')}
        </Button>
      </Group>
      <DeviceProblem error={off.error ?? wake.error} />
    </Stack>
  );
}
