import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { invalidatedBy } from '../../api/live/live-events';
import { problemText } from '../../api/problem';
import { queryClient } from '../../api/query-client';
import { showProblemNotice } from '../../components/notices';
import { useTimeFormat } from '../../lib/format';
import { carryOut } from './carry-out';
import { countDone } from './done-today';
import { holdPage } from './hold-page';
import { batchesQuery } from './review-queries';
import type { ReviewWindow } from './review-window';
import { runQueue } from './run-queue';

/** With so few left the next ones are asked for. */
const fewLeft = 20;

/** A sitting: the doubtful detections of a time, and what is said of them. */
export function useQueue(window: ReviewWindow) {
  const { t } = useTranslation('review');
  const { today } = useTimeFormat();
  const [running] = useState(() =>
    runQueue({
      carryOut,
      onPending: holdPage,
      onDone: ({ kind, step }, changed) => {
        if (changed > 0) countDone(today(), kind === 'send' ? step.items.length : -step.items.length);
        // Asked anew where it is looked at next; what stands here does not change by it.
        for (const resource of invalidatedBy.correction) {
          void queryClient.invalidateQueries({ queryKey: [resource], refetchType: 'none' });
        }
      },
      onFailed: ({ kind }, error) => {
        const reason = problemText(t, error);
        showProblemNotice(t(kind === 'send' ? 'not_saved' : 'not_undone', { reason }));
      },
    }),
  );
  const queue = useSyncExternalStore(running.subscribe, running.current);
  const batches = useInfiniteQuery(batchesQuery(window));
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = batches;
  const left = queue.waiting.length;
  useEffect(() => {
    if (data) running.act({ type: 'load', items: data.pages.flat() });
  }, [data, running]);
  useEffect(() => {
    if (data && left < fewLeft && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [data, left, hasNextPage, isFetching, isError, fetchNextPage]);
  return { queue, act: running.act, batches };
}
