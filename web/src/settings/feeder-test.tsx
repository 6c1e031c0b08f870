import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answerOf, hub } from '../api/client';
import { problemText } from '../states/problem-text';

/** Lets the feeder give a portion, to see that the settings are right. */
export function FeederTest({ hasChanges }: { readonly hasChanges: boolean }) {
  const { t } = useTranslation('settings');
  const test = useMutation({ mutationFn: () => answerOf(hub.POST('/api/ui/feed/dispense')) });
  return (
    <Group mt="lg">
      <Button variant="light" loading={test.isPending} disabled={hasChanges} onClick={() => test.mutate()}>
        {t('feeder_test')}
      </Button>
      <Text size="sm" role="status" c={test.error ? 'red' : 'dimmed'}>
        {hasChanges && t('feeder_save_first')}
        {!hasChanges && test.isSuccess && t('feeder_works')}
        {!hasChanges && test.error && problemText(t, test.error)}
      </Text>
    </Group>
  );
}
