import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { DeviceProblem } from './device-problem';
import { sendTest } from './device-queries';

/** Sends a message, to see that it comes. */
export function TestMessage() {
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
