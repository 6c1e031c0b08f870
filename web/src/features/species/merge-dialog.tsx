import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { problemText } from '../../api/problem';
import { showProblemNotice, showUndoNotice } from '../../components/notices';
import { SpeciesChoice } from '../../components/species-choice';
import { useSpeciesName } from '../../i18n/species-names';

interface MergeDialogProps {
  /** The species that is to become another one. */
  readonly species: { readonly id: number; readonly name: string };
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Time to take a merge back. */
const undoMs = 20_000;

interface Named {
  readonly id: number;
  readonly name: string;
}

/** Merges a species into another one, and takes that back when it is undone. */
function useMerge(species: Named, onMerged: () => void) {
  const { t } = useTranslation('species');
  const nameOf = useSpeciesName();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const goTo = (id: number) => navigate({ to: '/species/$id', params: { id: String(id) } });
  const revert = useMutation({
    mutationFn: (id: number) =>
      unwrap(hub.POST('/api/ui/species/merges/{id}/revert', { params: { path: { id } } })),
    onSuccess: async () => {
      await queryClient.invalidateQueries();
      await goTo(species.id);
    },
    onError: (error) => showProblemNotice(problemText(t, error)),
  });
  return useMutation({
    mutationFn: (into: Named) =>
      unwrap(
        hub.POST('/api/ui/species/{id}/merge', {
          params: { path: { id: species.id } },
          body: { into_species_id: into.id },
        }),
      ),
    onSuccess: async ({ merge_id }, into) => {
      onMerged();
      await goTo(into.id);
      await queryClient.invalidateQueries();
      showUndoNotice({
        message: t('merged', { name: nameOf(species.name), into: nameOf(into.name) }),
        label: t('undo'),
        onUndo: () => revert.mutate(merge_id),
        milliseconds: undoMs,
      });
    },
  });
}

/** Says that a species is another one: which, what happens then, and does it. */
export function MergeDialog({ species, isOpen, onClose }: MergeDialogProps) {
  const { t } = useTranslation('species');
  const nameOf = useSpeciesName();
  const [into, setInto] = useState<Named>();
  const merge = useMerge(species, onClose);
  const name = nameOf(species.name);
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('merge_title', { name })} centered>
      <Stack>
        <Text size="sm">{t('merge_why')}</Text>
        <SpeciesChoice
          label={t('merge_into')}
          value={into?.id ?? null}
          without={[species.id]}
          onChoose={setInto}
          onClear={() => setInto(undefined)}
          autoFocus
        />
        {into && (
          <Alert variant="light" role="status">
            {t('merge_effect', { name, into: nameOf(into.name) })}
          </Alert>
        )}
        {merge.error && (
          <Text c="var(--mantine-color-error)" size="sm" role="alert">
            {problemText(t, merge.error)}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            disabled={into === undefined}
            loading={merge.isPending}
            onClick={() => into && merge.mutate(into)}
          >
            {t('merge')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
