import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { problemText } from '../../api/problem';
import { showProblemNotice } from '../../components/notices';
import { type Recording, recordingQuery } from './recording-queries';

/** Makes a recording a favourite or no longer one: shown at once, and taken back when the hub refuses. */
export function useFavorite({ id, favorite }: Recording) {
  const { t } = useTranslation('recording');
  const queryClient = useQueryClient();
  const { queryKey } = recordingQuery(id);
  const show = (isFavorite: boolean) =>
    queryClient.setQueryData(queryKey, (before) => before && { ...before, favorite: isFavorite });
  const { mutate } = useMutation({
    // One after the other, so that the last press is what stays.
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
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['timeline'] }),
  });
  return () => mutate(!favorite);
}
