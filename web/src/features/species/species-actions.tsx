import { ActionIcon, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowMerge, IconDots, IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { speciesListQuery } from '../../lib/species-list';
import { EditDialog } from './edit-dialog';
import { MergeDialog } from './merge-dialog';
import { formOf } from './species-form';
import type { SpeciesSummary } from './species-queries';

/** Menu with edit and merge, which ask for the admin password. */
export function SpeciesActions({ species }: Pick<SpeciesSummary, 'species'>) {
  const { t } = useTranslation('species');
  const [isEditing, edit] = useDisclosure(false);
  const [isMerging, merge] = useDisclosure(false);
  const { data } = useQuery(speciesListQuery);
  const row = data?.find(({ id }) => id === species.id);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" size={36} aria-label={t('actions')} title={t('actions')}>
            <IconDots size={20} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconPencil size={18} aria-hidden />}
            disabled={row === undefined}
            onClick={edit.open}
          >
            {t('edit')}
          </Menu.Item>
          <Menu.Item leftSection={<IconArrowMerge size={18} aria-hidden />} onClick={merge.open}>
            {t('merge')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
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
    </>
  );
}
