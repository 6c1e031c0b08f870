import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { history, invalidatedBy } from '../../api/live/live-events';
import { problemText } from '../../api/problem';
import type { components } from '../../api/schema';
import { showProblemNotice, showUndoNotice } from '../../components/notices';

type NewSighting = components['schemas']['PostedSighting'];

/** Returns a random id; `crypto.randomUUID` is only available over HTTPS. */
export function createSightingId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Creates a sighting, refreshes all lists, and offers to open or undo it. */
export function useAddSighting() {
  const { t } = useTranslation('sightings');
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  // Sightings are often of past days, whose counts a new recording does not invalidate.
  const refresh = () =>
    Promise.all(
      [...invalidatedBy.recording, ...history].map((resource) =>
        queryClient.invalidateQueries({ queryKey: [resource] }),
      ),
    );
  const remove = useMutation({
    mutationFn: (id: number) => unwrap(hub.DELETE('/api/ui/videos/{id}', { params: { path: { id } } })),
    onSuccess: refresh,
    onError: (error) => showProblemNotice(`${t('not_undone')} ${problemText(t, error)}`),
  });
  return useMutation({
    mutationFn: ({ sighting }: { readonly sighting: NewSighting; readonly name: string }) =>
      unwrap(hub.POST('/api/ui/sightings', { body: sighting })),
    onSuccess: ({ video_id: id }, { name }) => {
      if (id !== null)
        showUndoNotice({
          message: t('added', { name }),
          label: t('undo'),
          onUndo: () => remove.mutate(id),
          link: {
            label: t('open'),
            onOpen: () => void navigate({ to: '/videos/$id', params: { id: String(id) } }),
          },
        });
      // Not awaited: the form closes when the sighting is stored, not when all lists are loaded again.
      void refresh();
    },
  });
}
