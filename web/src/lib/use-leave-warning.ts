import { useBlocker } from '@tanstack/react-router';

/** Asks a question before the page is left with unsaved changes. */
export function useLeaveWarning(hasChanges: boolean, question: string): void {
  useBlocker({
    shouldBlockFn: () => hasChanges && !window.confirm(question),
    enableBeforeUnload: hasChanges,
    disabled: !hasChanges,
  });
}
