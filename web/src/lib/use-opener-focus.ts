import { useEffect, useMemo } from 'react';

/**
 * Focuses the element that opened a dialog when the dialog closes or is unmounted. Mantine does so only
 * for dialogs that are mounted closed and stay mounted.
 */
export function useOpenerFocus(isOpen = true): void {
  // During rendering, before anything in the dialog takes the focus.
  const opener = useMemo(() => (isOpen ? document.activeElement : null), [isOpen]);
  useEffect(() => {
    if (!(opener instanceof HTMLElement) || opener === document.body) return;
    return () => {
      setTimeout(() => {
        const { activeElement } = document;
        const isElsewhere =
          activeElement && activeElement !== document.body && !activeElement.closest('[role="dialog"]');
        if (opener.isConnected && !isElsewhere) opener.focus({ preventScroll: true });
      });
    };
  }, [opener]);
}
