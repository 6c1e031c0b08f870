import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { describeBytes, useTimeFormat } from '../../lib/format';

interface ClearDialogProps {
  readonly title: string;
  /** What would go; nothing while nobody has asked. */
  readonly preview: { readonly deletedCount: number; readonly deletedSize: number } | undefined;
  readonly isActing: boolean;
  readonly onAct: () => void;
  readonly onClose: () => void;
  /** What else is to be known before. */
  readonly children: ReactNode;
}

/** Says what would go, and asks whether it shall. */
export function ClearDialog({ title, preview, isActing, onAct, onClose, children }: ClearDialogProps) {
  const { t } = useTranslation('system');
  const { language, number } = useTimeFormat();
  const count = preview?.deletedCount ?? 0;
  const size = describeBytes(language, preview?.deletedSize ?? 0);
  return (
    <Modal
      opened={preview !== undefined}
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': t('close') }}
      centered
    >
      <Stack>
        <Text>
          {count === 0 ? t('nothing_to_clear') : t('would_clear', { count, number: number(count), size })}
        </Text>
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t(count === 0 ? 'close' : 'cancel')}
          </Button>
          {count > 0 && (
            <Button color="red.9" loading={isActing} onClick={onAct}>
              {t('clear_now')}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
