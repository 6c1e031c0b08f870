import { useRef, useState } from 'react';

/** Values being edited, and whether they differ from the first ones. */
export function useDraftForm<T extends object>(initial: T | (() => T)) {
  const [first] = useState(initial);
  const [draft, setDraft] = useState(first);
  return {
    first,
    draft,
    setDraft,
    change: (part: Partial<T>) => setDraft((before) => ({ ...before, ...part })),
    hasChanges: JSON.stringify(draft) !== JSON.stringify(first),
  };
}

/** A form whose missing fields are shown after the first attempt to use it. */
export function useRequiredFields<Field extends string>(missing: readonly Field[]) {
  const form = useRef<HTMLFormElement>(null);
  const [isTried, setIsTried] = useState(false);
  return {
    form,
    /** Missing fields to show. */
    missing: isTried ? missing : [],
    /** Calls `act` if the form is complete, else focuses the first missing field. */
    whenComplete: (act: () => void) => {
      setIsTried(true);
      const [empty] = missing;
      if (empty === undefined) act();
      else form.current?.querySelector<HTMLElement>(`[name="${empty}"]`)?.focus();
    },
  };
}
