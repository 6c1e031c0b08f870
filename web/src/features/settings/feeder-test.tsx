import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { dispenseProblem } from '../today/feeder';

interface FeederTestProps {
  /** What is stored as the way it is driven. */
  readonly source: unknown;
  readonly hasChanges: boolean;
}

/** Lets the feeder give a portion, to see that the settings are right. */
export function FeederTest({ source, hasChanges }: FeederTestProps) {
  const { t } = useTranslation('settings');
  const { t: sayOfFeeder } = useTranslation('today');
  const client = useQueryClient();
  const test = useMutation({
    mutationFn: () => unwrap(hub.POST('/api/ui/feed/dispense')),
    onSuccess: () => client.invalidateQueries({ queryKey: ['feed'] }),
  });
  const isDriven = source === 'mqtt' || source === 'esphome';
  const outcome = () => {
    if (hasChanges) return t('feeder_save_first');
    if (!isDriven) return t('feeder_none');
    if (test.error) return dispenseProblem(sayOfFeeder, test.error);
    return test.isSuccess && t('feeder_works');
  };
  return (
    <Group gap="sm">
      <Button
        variant="light"
        loading={test.isPending}
        disabled={hasChanges || !isDriven}
        onClick={() => test.mutate()}
      >
        {t('feeder_test')}
      </Button>
      <Text size="sm" role="status" c={test.error ? 'var(--mantine-color-error)' : 'dimmed'}>
        {outcome()}
      </Text>
    </Group>
  );
}
