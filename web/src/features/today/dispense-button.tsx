import { Button, Text, VisuallyHidden } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { Problem } from '../../api/problem';
import type { components } from '../../api/schema';
import { useNow } from '../../lib/clock';
import { useTimeFormat } from '../../lib/format';
import { cooldownSeconds } from './cooldown';
import { dispenseProblem } from './dispense-problem';
import { feedQuery } from './today-queries';

/** Undefined while it is on its way. */
type Feed = components['schemas']['FeedInfo'] | undefined;

const secondMs = 1_000;

/** Gives a portion; says when the next one can be given. */
export function DispenseButton({ feed }: { readonly feed: Feed }) {
  const { t } = useTranslation('today');
  const { ago } = useTimeFormat();
  const queryClient = useQueryClient();
  const now = useNow(secondMs);
  const dispense = useMutation({
    mutationFn: () => unwrap(hub.POST('/api/ui/feed/dispense')),
    onSuccess: ({ dispensed_at }) =>
      queryClient.setQueryData(
        feedQuery.queryKey,
        (old) => old && { ...old, last_dispense_at: dispensed_at },
      ),
    onSettled: () => queryClient.invalidateQueries(feedQuery),
  });
  const seconds = feed ? cooldownSeconds(feed, now) : 0;
  const isLocked = dispense.error instanceof Problem && dispense.error.status === 403;
  return (
    <div>
      <Button
        fullWidth
        size="md"
        loading={dispense.isPending}
        disabled={feed === undefined || seconds > 0}
        onClick={() => dispense.mutate()}
      >
        {seconds > 0 ? t('ready_in', { seconds }) : t('dispense')}
      </Button>
      <Text size="sm" c="dimmed" mt="xs">
        {feed?.last_dispense_at
          ? t('last_portion', { ago: ago(feed.last_dispense_at, now) })
          : t('no_portion')}
      </Text>
      <VisuallyHidden role="status">{dispense.isSuccess && t('portion_given')}</VisuallyHidden>
      {dispense.error && !isLocked && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {dispenseProblem(t, dispense.error)}
        </Text>
      )}
    </div>
  );
}
