import { Text } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { useRemoveDemo } from './demo-queries';

/** Asks before the demo is removed with all its data. */
export function RemoveDemoDialog({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('demo');
  const remove = useRemoveDemo();
  const { reset } = remove;
  useEffect(() => {
    if (isOpen) reset();
  }, [isOpen, reset]);
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('remove_title')}
      label={t('remove_now')}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text>{t('remove_hint')}</Text>
    </ConfirmDialog>
  );
}
