import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowMerge, IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { speciesListQuery } from '../../lib/species-list';
import { EditDialog } from './edit-dialog';
import { MergeDialog } from './merge-dialog';
import { formOf } from './species-form';
import type { SpeciesSummary } from './species-queries';

/** What an admin can do with a species; anyone else is asked for the password. */
export function SpeciesActions({ species }: Pick<SpeciesSummary, 'species'>) {
  const { t } = useTranslation('species');
  const [isEditing, edit] = useDisclosure(false);
  const [isMerging, merge] = useDisclosure(false);
  const { data } = useQuery(speciesListQuery);
  const row = data?.find(({ id }) => id === species.id);
  return (
    <Group gap="xs">
      <Button
        variant="default"
        leftSection={<IconPencil size={18} aria-hidden />}
        disabled={row === undefined}
        onClick={edit.open}
      >
        {t('edit')}
      </Button>
      <Button variant="default" leftSection={<IconArrowMerge size={18} aria-hidden />} onClick={merge.open}>
        {t('merge')}
      </Button>
      <Suspense>
        {row && (
          <EditDialog
            isOpen={isEditing}
            speciesId={species.id}
            before={formOf(row, species)}
            onClose={edit.close}
          />
        )}
        <MergeDialog species={species} isOpen={isMerging} onClose={merge.close} />
      </Suspense>
    </Group>
  );
}
