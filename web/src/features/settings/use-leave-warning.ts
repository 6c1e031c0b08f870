import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

/** Asks before a page with unsaved changes is left, within the UI or for elsewhere. */
export function useLeaveWarning(hasChanges: boolean): void {
  const { t } = useTranslation('settings');
  useBlocker({
    shouldBlockFn: () => hasChanges && !window.confirm(t('leave_unsaved')),
    enableBeforeUnload: hasChanges,
    disabled: !hasChanges,
  });
}
