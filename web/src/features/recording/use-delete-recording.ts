import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { problemText } from '../../api/problem';
import { showProblemNotice, showUndoNotice } from '../../components/notices';
import { useTimeFormat } from '../../lib/format';
import { ensureRole } from '../session/access';
import { undoMs } from './pending-deletions';
import { recordingDeletions } from './recording-deletions';
import { neighborsQuery, type Recording } from './recording-queries';

const touched = ['timeline', 'neighbors', 'overview', 'species', 'unknowns', 'calendar', 'storage'];

/** Deletes a recording after a time to undo, and goes on to the one beside it meanwhile. */
export function useDeleteRecording({ id, start_time }: Recording) {
  const { t } = useTranslation('recording');
  const { dayOf } = useTimeFormat();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const isDeleted = useSyncExternalStore(recordingDeletions.subscribe, () => recordingDeletions.has(id));

  const send = async (isLeaving: boolean) => {
    try {
      await unwrap(hub.DELETE('/api/ui/videos/{id}', { params: { path: { id } }, keepalive: isLeaving }));
      queryClient.removeQueries({ queryKey: ['video', id] });
      await Promise.all(touched.map((word) => queryClient.invalidateQueries({ queryKey: [word] })));
    } catch (error) {
      showProblemNotice(`${t('not_deleted')} ${problemText(t, error as Error)}`);
    }
  };
  const goOn = async () => {
    const { next_id, previous_id } = await queryClient.ensureQueryData(neighborsQuery(id));
    const other = next_id ?? previous_id;
    if (other !== null) return navigate({ to: '/videos/$id', params: { id: String(other) } });
    return navigate({ to: '/timeline', search: { date: dayOf(start_time) } });
  };
  const undo = () => {
    if (recordingDeletions.undo(id)) void navigate({ to: '/videos/$id', params: { id: String(id) } });
  };
  const remove = async () => {
    if (!(await ensureRole('contributor'))) return;
    recordingDeletions.add(id, (isLeaving) => void send(isLeaving));
    showUndoNotice({ message: t('deleted'), label: t('undo'), onUndo: undo, milliseconds: undoMs });
    await goOn();
  };
  return { isDeleted, remove, undo };
}
