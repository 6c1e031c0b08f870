import { Box, Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SpeciesChoice } from '../../components/species-choice';
import type { Species } from '../../lib/rank-species';

interface ChangeDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly likely: readonly number[];
  readonly onChoose: (species: Species) => void;
}

/** Any species, by typing. */
export function ChangeDialog({ isOpen, onClose, likely, onChoose }: ChangeDialogProps) {
  const { t } = useTranslation('review');
  const choose = (species: Species) => {
    onClose();
    onChoose(species);
  };
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('change_title')}
      closeButtonProps={{ 'aria-label': t('close') }}
      transitionProps={{ duration: 0 }}
    >
      {/* Room for the list below the field. */}
      <Box mih={400}>
        <SpeciesChoice value={null} onChoose={choose} likely={likely} autoFocus />
      </Box>
    </Modal>
  );
}
