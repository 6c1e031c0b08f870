import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { problemText } from '../../api/problem';
import { showProblemNotice, showUndoNotice } from '../../components/notices';
import { useSpeciesName } from '../../i18n/species-names';
import type { SpeciesPatch } from './species-form';

/** Changes a species. */
export function useUpdateSpecies(id: number, onSaved: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: SpeciesPatch) =>
      unwrap(hub.PATCH('/api/ui/species/{id}', { params: { path: { id } }, body })),
    onSuccess: () => {
      onSaved();
      void queryClient.invalidateQueries();
    },
  });
}

/** How long the undo notice stays. */
const undoMs = 20_000;

export interface NamedSpecies {
  readonly id: number;
  readonly name: string;
}

/** Merges a species into another one, with undo. */
export function useMergeSpecies(species: NamedSpecies, onMerged: () => void) {
  const { t } = useTranslation('species');
  const nameOf = useSpeciesName();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const goTo = (id: number) => navigate({ to: '/species/$id', params: { id: String(id) } });
  const revert = useMutation({
    mutationFn: ({ mergeId }: { readonly mergeId: number; readonly speciesId: number }) =>
      unwrap(hub.POST('/api/ui/species/merges/{id}/revert', { params: { path: { id: mergeId } } })),
    onSuccess: async (_, { speciesId }) => {
      await goTo(speciesId);
      await queryClient.invalidateQueries();
    },
    onError: (error) => showProblemNotice(problemText(t, error)),
  });
  return useMutation({
    mutationFn: (into: NamedSpecies) =>
      unwrap(
        hub.POST('/api/ui/species/{id}/merge', {
          params: { path: { id: species.id } },
          body: { into_species_id: into.id },
        }),
      ),
    onSuccess: async ({ merge_id }, into) => {
      onMerged();
      await goTo(into.id);
      showUndoNotice({
        message: t('merged', { name: nameOf(species.name), into: nameOf(into.name) }),
        label: t('undo'),
        onUndo: () => revert.mutate({ mergeId: merge_id, speciesId: species.id }),
        milliseconds: undoMs,
      });
      await queryClient.invalidateQueries();
    },
  });
}
