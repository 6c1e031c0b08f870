import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { invalidatedBy } from '../../api/live/live-events';
import { Problem, problemText } from '../../api/problem';
import { queryClient } from '../../api/query-client';
import { showProblemNotice, showUndoNotice } from '../../components/notices';
import { useSpeciesName } from '../../i18n/species-names';
import { useTimeFormat } from '../../lib/format';
import { ensureRole } from '../session/ensure-role';
import { createPendingDeletions } from './pending-deletions';
import { neighborsQuery, type Recording, recordingQuery } from './recording-queries';

/** Whether a correction applies to one track or to the entire visit. */
export type Scope = 'single_track' | 'visit';

/** Confirms and corrects detections, with undo. */
export function useReview() {
  const { t } = useTranslation('recording');
  const nameOf = useSpeciesName();
  const queryClient = useQueryClient();
  const onError = (error: Error) => showProblemNotice(problemText(t, error));
  const invalidate = () =>
    Promise.all(
      invalidatedBy.correction.map((resource) => queryClient.invalidateQueries({ queryKey: [resource] })),
    );

  const revert = useMutation({
    mutationFn: (id: number) =>
      unwrap(hub.POST('/api/ui/detections/{id}/revert', { params: { path: { id } } })),
    onSuccess: invalidate,
    onError,
  });
  const offerUndo = (message: string, id: number) =>
    showUndoNotice({ message, label: t('undo'), onUndo: () => revert.mutate(id) });

  const confirm = useMutation({
    mutationFn: (id: number) =>
      unwrap(hub.POST('/api/ui/detections/{id}/confirm', { params: { path: { id } } })),
    onSuccess: ({ updated_count }, id) => {
      if (updated_count > 0) offerUndo(t('confirmed'), id);
      return invalidate();
    },
    onError,
  });
  const correct = useMutation({
    mutationFn: ({
      id,
      species,
      scope,
    }: {
      id: number;
      species: { id: number; name: string };
      scope: Scope;
    }) =>
      unwrap(
        hub.PATCH('/api/ui/detections/{id}', {
          params: { path: { id } },
          body: { species_id: species.id, apply_scope: scope },
        }),
      ),
    onSuccess: ({ updated_count }, { id, species }) => {
      const name = nameOf(species.name);
      if (updated_count > 0) offerUndo(t('corrected', { count: updated_count, name }), id);
      return invalidate();
    },
    onError,
  });
  return { confirm, correct, isBusy: confirm.isPending || correct.isPending || revert.isPending };
}

/** Toggles the favourite mark with an optimistic update. */
export function useFavorite({ id, favorite }: Recording) {
  const { t } = useTranslation('recording');
  const queryClient = useQueryClient();
  const { queryKey } = recordingQuery(id);
  const show = (isFavorite: boolean) =>
    queryClient.setQueryData(queryKey, (before) => before && { ...before, favorite: isFavorite });
  const { mutate } = useMutation({
    // In sequence, so that the last press wins.
    scope: { id: `favorite-${id}` },
    mutationFn: (next: boolean) =>
      unwrap(hub.PATCH('/api/ui/videos/{id}', { params: { path: { id } }, body: { favorite: next } })),
    onMutate: async (next) => {
      await queryClient.cancelQueries({ queryKey });
      show(next);
    },
    onError: (error, next) => {
      show(!next);
      showProblemNotice(problemText(t, error));
    },
    onSuccess: () =>
      Promise.all(
        ['timeline', 'highlights'].map((resource) => queryClient.invalidateQueries({ queryKey: [resource] })),
      ),
  });
  return () => mutate(!favorite);
}

/** Deletes a recording if it still exists. `isLeaving` lets the request outlive the page. @throws Problem */
export async function deleteRecording(id: number, isLeaving: boolean): Promise<void> {
  const path = { path: { id } };
  try {
    await unwrap(hub.DELETE('/api/ui/videos/{id}', { params: path, keepalive: isLeaving }));
  } catch (error) {
    if (!(error instanceof Problem && [404, 410].includes(error.status))) throw error;
  }
  queryClient.removeQueries({ queryKey: ['video', id] });
  await Promise.all(
    invalidatedBy.recording_removed.map((resource) =>
      queryClient.invalidateQueries({ queryKey: [resource] }),
    ),
  );
}

/** Deletes a recording after `undoMs` and shows the next one. */
export function useDeleteRecording({ id, start_time }: Recording) {
  const { t } = useTranslation('recording');
  const { dayOf } = useTimeFormat();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const isDeleted = useSyncExternalStore(recordingDeletions.subscribe, () => recordingDeletions.has(id));

  const send = async (isLeaving: boolean) => {
    try {
      await deleteRecording(id, isLeaving);
    } catch (error) {
      showProblemNotice(`${t('not_deleted')} ${problemText(t, error as Error)}`);
    }
  };
  const showNeighbor = async () => {
    const { next_id, previous_id } = await queryClient.ensureQueryData(neighborsQuery(id));
    const other = next_id ?? previous_id;
    if (other !== null) return navigate({ to: '/videos/$id', params: { id: String(other) } });
    return navigate({ to: '/timeline', search: { date: dayOf(start_time) } });
  };
  const undo = () => {
    if (!recordingDeletions.undo(id)) return showProblemNotice(t('undo_too_late'));
    return void navigate({ to: '/videos/$id', params: { id: String(id) } });
  };
  const remove = async () => {
    if (!(await ensureRole('contributor')) || recordingDeletions.has(id)) return;
    // The notice ends with the deletion: its own time would stand still while it is hovered.
    const notice = showUndoNotice({
      message: t('deleted'),
      label: t('undo'),
      onUndo: undo,
      milliseconds: false,
    });
    recordingDeletions.add(
      id,
      (isLeaving) => void send(isLeaving),
      () => notifications.hide(notice),
    );
    await showNeighbor();
  };
  return { isDeleted, remove, undo };
}

/** Deletions that can still be undone; leaving the page sends them. */
export const recordingDeletions = createPendingDeletions();

window.addEventListener('pagehide', () => recordingDeletions.flush());
