import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconBellRinging } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Problem, problemText } from '../../api/problem';
import { useHasRole } from '../session/access';
import {
  type DeviceState,
  deviceQuery,
  enableHubNotifications,
  hubNotifiesQuery,
  sendTest,
  switchOff,
  switchOn,
} from './device';

/** Switches notifications on this device on and off. */
export function DeviceNotifications() {
  const { t } = useTranslation('notifications');
  const { state, error, refetch, on, off, enableHub, isHubSilent } = useDevice();
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
          <Button
            size="compact-md"
            variant="light"
            loading={enableHub.isPending}
            onClick={() => enableHub.mutate()}
          >
            {t('turn_on_hub')}
          </Button>
        </Alert>
      )}
      <Group gap="xs" align="start">
        <TestNotification />
        <Button variant="subtle" loading={off.isPending} onClick={() => off.mutate()}>
          {t('switch_off')}
        </Button>
      </Group>
      <DeviceProblem error={off.error ?? enableHub.error} />
    </Stack>
  );
}

/** Sends a test notification. */
function TestNotification() {
  const { t } = useTranslation('notifications');
  const test = useMutation({ mutationFn: sendTest });
  return (
    <Stack gap="xs" align="start">
      <Button variant="light" loading={test.isPending} onClick={() => test.mutate()}>
        {t('send_test')}
      </Button>
      <Text size="sm" role="status">
        {test.isSuccess && t(test.data ? 'test_sent' : 'test_lost')}
      </Text>
      <DeviceProblem error={test.error} />
    </Stack>
  );
}

/** Error message, if any. */
function DeviceProblem({ error }: { readonly error: Error | null }) {
  const { t } = useTranslation('notifications');
  if (error === null) return null;
  const isFull = error instanceof Problem && error.code === 'too_many_subscriptions';
  // All other errors are from the browser or its push service.
  const words = error instanceof Problem ? problemText(t, error) : t('browser_failed');
  return (
    <Text size="sm" c="var(--mantine-color-error)" role="alert">
      {isFull ? t('device_limit') : words}
    </Text>
  );
}

/** State of this device, with actions. */
function useDevice() {
  const queryClient = useQueryClient();
  const mayAdmin = useHasRole('admin');
  const { data: state, error, refetch } = useQuery(deviceQuery);
  const { data: hubNotifies } = useQuery({ ...hubNotifiesQuery, enabled: mayAdmin && state === 'on' });
  const keep = (changed: DeviceState) => queryClient.setQueryData(deviceQuery.queryKey, changed);
  const enableHub = useMutation({
    mutationFn: enableHubNotifications,
    onSuccess: () => queryClient.setQueryData(hubNotifiesQuery.queryKey, true),
  });
  const on = useMutation({
    mutationFn: async () => {
      const changed = await switchOn();
      // An admin who subscribes also enables notifications of the hub.
      if (changed === 'on' && mayAdmin) await enableHub.mutateAsync();
      return changed;
    },
    onSuccess: keep,
  });
  const off = useMutation({ mutationFn: switchOff, onSuccess: keep });
  return { state, error, refetch, on, off, enableHub, isHubSilent: hubNotifies === false };
}
