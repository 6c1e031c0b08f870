import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { problemText } from '../api/problem';
import { useOpenerFocus } from '../lib/use-opener-focus';
import { ProblemAlert } from './problem-alert';

interface ConfirmDialogProps {
  readonly isOpen: boolean;
  readonly title: string;
  /** Explanation and options. */
  readonly children?: ReactNode;
  /** Label of the confirm button, a verb. */
  readonly label: string;
  readonly isPending: boolean;
  readonly isDisabled?: boolean;
  /** Error of the last attempt. */
  readonly error?: Error | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something is deleted or interrupted. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, title, children, label, isPending, isDisabled = false, error, onConfirm, onClose } = props;
  const { t } = useTranslation('components');
  useOpenerFocus(isOpen);
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} withCloseButton={false} centered>
      <Stack>
        {children}
        {error && <ProblemAlert>{problemText(t, error)}</ProblemAlert>}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button color="red.9" loading={isPending} disabled={isDisabled} onClick={onConfirm}>
            {label}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
