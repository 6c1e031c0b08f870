import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

/** Asks before the page is left with unsaved changes. */
export function useLeaveWarning(hasChanges: boolean): void {
  const { t } = useTranslation('components');
  useBlocker({
    shouldBlockFn: () => hasChanges && !window.confirm(t('leave_unsaved')),
    enableBeforeUnload: hasChanges,
    disabled: !hasChanges,
  });
}

/** Asks before a dialog is closed or the page is left with unsaved changes. Returns the function that closes the dialog. */
export function useCloseWarning(hasChanges: boolean, onClose: () => void): () => void {
  const { t } = useTranslation('components');
  useLeaveWarning(hasChanges);
  return () => {
    if (!hasChanges || window.confirm(t('leave_unsaved'))) onClose();
  };
}
