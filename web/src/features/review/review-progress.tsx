import { Group, Progress, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useToday } from '../../lib/clock';
import { doneOn } from './done-today';
import type { ReviewQueue } from './review-queue';

interface ReviewProgressProps {
  readonly queue: ReviewQueue;
  /** Whether there are more than have been loaded. */
  readonly hasMore: boolean;
}

/** How far one is. */
export function ReviewProgress({ queue, hasMore }: ReviewProgressProps) {
  const { t } = useTranslation('review');
  const today = doneOn(useToday());
  const done = queue.steps.reduce((sum, step) => sum + step.items.length, 0);
  const all = done + queue.waiting.length;
  // Of nothing there is no progress.
  if (all === 0 && queue.calls.length === 0) return null;
  const total = `${all}${hasMore ? '+' : ''}`;
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm">{t('progress', { done, total })}</Text>
        <Text size="sm" c="dimmed">
          {queue.calls.length > 0 ? t('saving', { count: queue.calls.length }) : t('today', { count: today })}
        </Text>
      </Group>
      <Progress
        value={all === 0 ? 0 : (done / all) * 100}
        size="sm"
        aria-label={t('progress', { done, total })}
      />
    </div>
  );
}
