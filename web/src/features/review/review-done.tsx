import { Button } from '@mantine/core';
import { IconChecks } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../components/states';
import type { Day } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import type { QueueAction, ReviewQueue } from './review-queue';

interface ReviewDoneProps {
  readonly queue: ReviewQueue;
  readonly act: (action: QueueAction) => void;
  /** The day before those that were reviewed; undefined when no bird was here before them. */
  readonly dayBefore: Day | undefined;
}

/** No bird was here yet, so none can be in doubt. */
export function NothingToReview() {
  const { t } = useTranslation('review');
  return <Empty title={t('none_yet')}>{t('none_yet_hint')}</Empty>;
}

/** Nothing is left to look at: what was done, and where to go on. */
export function ReviewDone({ queue, act, dayBefore }: ReviewDoneProps) {
  const { t } = useTranslation('review');
  const { longDay } = useTimeFormat();
  const skipped = queue.steps.filter(({ verdict }) => verdict.kind === 'skip').length;
  const done = queue.steps.reduce((sum, step) => sum + step.items.length, 0) - skipped;
  return (
    <Empty
      icon={IconChecks}
      title={done === 0 ? t('nothing') : t('finished', { count: done })}
      action={
        <>
          {skipped > 0 && (
            <Button onClick={() => act({ type: 'take_skipped' })}>{t('skipped', { count: skipped })}</Button>
          )}
          {dayBefore && (
            <Button
              variant={skipped > 0 ? 'default' : 'filled'}
              renderRoot={(props) => (
                <Link {...props} to="/timeline" search={{ review: 1, until: dayBefore }} />
              )}
            >
              {t('earlier')}
            </Button>
          )}
          {queue.steps.length > 0 && (
            <Button variant="subtle" onClick={() => act({ type: 'undo' })}>
              {t('undo')}
            </Button>
          )}
        </>
      }
    >
      {dayBefore ? t('nothing_hint', { day: longDay(dayBefore) }) : t('all_done')}
    </Empty>
  );
}
