import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answerOf, hub } from '../api/client';
import { changedBy } from '../live/live-names';
import { useSpeciesName } from '../species-names/use-species-name';
import { problemText } from '../states/problem-text';
import { showProblemNotice, showUndoNotice } from '../states/undo-notice';

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
      changedBy.correction.map((resource) => queryClient.invalidateQueries({ queryKey: [resource] })),
    );

  const revert = useMutation({
    mutationFn: (id: number) =>
      answerOf(hub.POST('/api/ui/detections/{id}/revert', { params: { path: { id } } })),
    onSuccess: askAnew,
    onError,
  });
  const offerUndo = (message: string, id: number) =>
    showUndoNotice({ message, label: t('undo'), onUndo: () => revert.mutate(id) });

  const confirm = useMutation({
    mutationFn: (id: number) =>
      answerOf(hub.POST('/api/ui/detections/{id}/confirm', { params: { path: { id } } })),
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
      answerOf(
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
