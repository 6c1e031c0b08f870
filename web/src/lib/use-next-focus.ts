import { type RefObject, useCallback } from 'react';

/** Returns a ref for an element that passes the focus on to another one when it is removed. */
export function useNextFocus(next: RefObject<HTMLElement | null>) {
  return useCallback(
    (element: HTMLElement | null) => () => {
      if (document.activeElement === element) next.current?.focus();
    },
    [next],
  );
}
