import { Alert, Button, type ButtonProps, Group, Progress, Stack, Text } from '@mantine/core';
import { IconFeather } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Problem, problemText } from '../../api/problem';
import { demoQuery, deviceZone, type ShownDemo, useStartDemo } from './demo-queries';

/** Button that fills the hub with demo recordings, then the progress. */
export function StartDemo({ variant = 'light' }: Pick<ButtonProps, 'variant'>) {
  const { t } = useTranslation('demo');
  const { data: demo } = useQuery(demoQuery);
  const start = useStartDemo();
  if (demo !== undefined && demo.state !== 'none') return <DemoProgress demo={demo} />;
  const isConfirmNeeded = start.error instanceof Problem && start.error.code === 'hub_not_empty';
  const begin = (isConfirmed: boolean) => start.mutate({ place: { timezone: deviceZone() }, isConfirmed });
  return (
    <Stack gap="xs" align="start">
      {start.error !== null && (
        <Alert color="yellow" role="alert">
          {isConfirmNeeded ? t('beside_own') : problemText(t, start.error)}
        </Alert>
      )}
      <Button
        variant={isConfirmNeeded ? 'filled' : (variant ?? 'light')}
        leftSection={<IconFeather size={18} aria-hidden />}
        loading={start.isPending}
        onClick={() => begin(isConfirmNeeded)}
      >
        {t(isConfirmNeeded ? 'start_anyway' : 'start')}
      </Button>
    </Stack>
  );
}

/** Progress of the demo, with a link to Today once there are recordings. */
function DemoProgress({ demo }: { readonly demo: ShownDemo }) {
  const { t } = useTranslation('demo');
  if (demo.state === 'none') return null;
  return (
    <Stack gap="xs" w="100%" maw="28rem">
      <Text size="sm" role="status">
        {t(`state.${demo.state}`)}
      </Text>
      {demo.state !== 'live' && (
        <Progress
          value={demo.total > 0 ? Math.min(100, (100 * demo.done) / demo.total) : 3}
          animated
          aria-label={t(`state.${demo.state}`)}
        />
      )}
      {demo.message !== null && (
        <Text size="sm" c="dimmed">
          {t('no_clips')}
        </Text>
      )}
      {demo.is_ready && demo.state !== 'removing' && (
        <Group>
          <Button renderRoot={(props) => <Link to="/" {...props} />}>{t('look')}</Button>
        </Group>
      )}
    </Stack>
  );
}
