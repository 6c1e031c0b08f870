import { Button, Group, Modal, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { problemText } from '../../api/problem';
import { useRemoveDemo } from './demo-queries';

/** Asks whether the demo shall go, with all that it brought. */
export function RemoveDialog({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('demo');
  const remove = useRemoveDemo();
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('remove_title')}
      closeButtonProps={{ 'aria-label': t('cancel') }}
    >
      <Text mb="md">{t('remove_hint')}</Text>
      {remove.error !== null && (
        <Text role="alert" c="red" mb="md">
          {problemText(t, remove.error)}
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button
          color="red"
          loading={remove.isPending}
          onClick={() => remove.mutate(undefined, { onSuccess: onClose })}
        >
          {t('remove_now')}
        </Button>
      </Group>
    </Modal>
  );
}
