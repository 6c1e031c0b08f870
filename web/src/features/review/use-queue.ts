import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { invalidatedBy, useLiveEvents } from '../../api/live/live-events';
import { problemText } from '../../api/problem';
import { queryClient } from '../../api/query-client';
import { showProblemNotice } from '../../components/notices';
import type { Day } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import { readStored, store } from '../../lib/storage';
import { deleteRecording, recordingDeletions } from '../recording/recording-mutations';
import { ensureRole } from '../session/ensure-role';
import { batchesQuery } from './review-queries';
import { type Call, type QueueAction, type Unknown, undoable } from './review-queue';
import type { ReviewWindow } from './review-window';
import { runQueue } from './run-queue';

/** The next batch is loaded when fewer are left. */
const minWaiting = 20;

/** The queue of a review window. */
export function useQueue(window: ReviewWindow) {
  const { t } = useTranslation('review');
  const { today } = useTimeFormat();
  const [running] = useState(() =>
    runQueue({
      sendCall,
      onPending: warnBeforeUnload,
      onDone: ({ kind, step }, changed) => {
        if (changed > 0) countReviewed(today(), kind === 'send' ? step.items.length : -step.items.length);
        // Only marked stale: nothing on this page depends on it.
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
  const remove = async (item: Unknown, covered: readonly number[]) => {
    const { id, video_id: videoId } = item;
    if (!(await ensureRole('contributor')) || running.current().waiting[0]?.id !== id) return;
    running.act({ type: 'decide', verdict: { kind: 'delete' }, covered });
    recordingDeletions.add(videoId, (isLeaving) => {
      running.act({ type: 'deleted', videoId });
      deleteRecording(videoId, isLeaving).catch((error: Error) => {
        showProblemNotice(t('not_saved', { reason: problemText(t, error) }));
        running.act({ type: 'not_deleted', videoId, error });
      });
    });
  };
  const act = (action: QueueAction) => {
    const step = action.type === 'undo' ? undoable(running.current()) : undefined;
    if (step?.verdict.kind === 'delete') recordingDeletions.undo(step.items[0].video_id);
    running.act(action);
  };
  const queue = useSyncExternalStore(running.subscribe, running.current);
  const batches = useInfiniteQuery(batchesQuery(window));
  const { data, hasNextPage, isFetching, isError, fetchNextPage, refetch } = batches;
  const left = queue.waiting.length;
  useEffect(() => {
    if (data) running.act({ type: 'load', items: data.pages.flat() });
  }, [data, running]);
  useEffect(() => {
    if (data && left < minWaiting && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [data, left, hasNextPage, isFetching, isError, fetchNextPage]);
  useLiveEvents(['recording', 'correction'], () => {
    if (running.current().waiting.length === 0) void refetch({ cancelRefetch: false });
  });
  return { queue, act, remove, batches };
}

/** Sends a verdict; `keepalive` finishes the call when the page is closed. @throws Problem */
async function sendCall({ kind, step: { items, verdict } }: Call): Promise<number> {
  const options = { params: { path: { id: items[0].id } }, keepalive: true };
  if (kind === 'revert') {
    return (await unwrap(hub.POST('/api/ui/detections/{id}/revert', options))).updated_count;
  }
  if (verdict.kind === 'correct') {
    const body = { species_id: verdict.speciesId, apply_scope: verdict.scope };
    return (await unwrap(hub.PATCH('/api/ui/detections/{id}', { ...options, body }))).updated_count;
  }
  return (await unwrap(hub.POST('/api/ui/detections/{id}/confirm', options))).updated_count;
}

let pendingCount = 0;

function preventUnload(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** Asks before leaving the page while calls are pending. */
function warnBeforeUnload(isPending: boolean): void {
  pendingCount += isPending ? 1 : -1;
  if (pendingCount > 0) window.addEventListener('beforeunload', preventUnload);
  else window.removeEventListener('beforeunload', preventUnload);
}

const storageKey = 'birdhub.reviewed';

/** Number of detections reviewed in this browser on a day. */
export function reviewedOn(day: Day): number {
  const [keptDay, count] = (readStored(storageKey) ?? '').split(' ');
  return keptDay === day ? Number(count) || 0 : 0;
}

/** Adds to the count of a day, also a negative number. Only the last day is stored. */
function countReviewed(day: Day, detections: number): void {
  store(storageKey, `${day} ${Math.max(0, reviewedOn(day) + detections)}`);
}
