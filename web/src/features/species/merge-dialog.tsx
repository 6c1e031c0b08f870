import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemText } from '../../api/problem';
import { SpeciesChoice } from '../../components/species-choice';
import { useSpeciesName } from '../../i18n/species-names';
import { type NamedSpecies, useMergeSpecies } from './species-mutations';

interface MergeDialogProps {
  /** The species to merge. */
  readonly species: NamedSpecies;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Chooses the target of a merge and confirms it. */
export function MergeDialog({ species, isOpen, onClose }: MergeDialogProps) {
  const { t } = useTranslation('species');
  const nameOf = useSpeciesName();
  const [into, setInto] = useState<NamedSpecies>();
  const close = () => {
    setInto(undefined);
    if (merge.isError) merge.reset();
    onClose();
  };
  const merge = useMergeSpecies(species, close);
  const name = nameOf(species.name);
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={t('merge_title', { name })}
      closeButtonProps={{ 'aria-label': t('cancel') }}
      centered
    >
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
          <Button variant="default" onClick={close}>
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
