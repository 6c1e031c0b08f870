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
