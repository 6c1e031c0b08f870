import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { invalidatedBy } from '../../api/live/live-events';
import { problemText } from '../../api/problem';
import { showProblemNotice, showUndoNotice } from '../../components/notices';
import { useSpeciesName } from '../../i18n/species-names';

/** What a correction is about: one bird of the recording, or all of its visit. */
export type Scope = 'single_track' | 'visit';

/** Says what detections show; each can be taken back. */
export function useReview() {
  const { t } = useTranslation('recording');
  const nameOf = useSpeciesName();
  const queryClient = useQueryClient();
  const onError = (error: Error) => showProblemNotice(problemText(t, error));
  const askAnew = () =>
    Promise.all(
      invalidatedBy.correction.map((resource) => queryClient.invalidateQueries({ queryKey: [resource] })),
    );

  const revert = useMutation({
    mutationFn: (id: number) =>
      unwrap(hub.POST('/api/ui/detections/{id}/revert', { params: { path: { id } } })),
    onSuccess: askAnew,
    onError,
  });
  const offerUndo = (message: string, id: number) =>
    showUndoNotice({ message, label: t('undo'), onUndo: () => revert.mutate(id) });

  const confirm = useMutation({
    mutationFn: (id: number) =>
      unwrap(hub.POST('/api/ui/detections/{id}/confirm', { params: { path: { id } } })),
    onSuccess: ({ updated_count }, id) => {
      if (updated_count > 0) offerUndo(t('confirmed'), id);
      return askAnew();
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
      return askAnew();
    },
    onError,
  });
  return { confirm, correct, isBusy: confirm.isPending || correct.isPending || revert.isPending };
}
