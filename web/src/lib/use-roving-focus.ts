import { type KeyboardEvent, useRef, useState } from 'react';

type Key = string | number;

/**
 * Roving tabindex: one tab stop for the elements of a container, which have `keys` in their order; arrow keys, Home and
 * End move between them.
 */
export function useRovingFocus<Container extends HTMLElement>(keys: readonly Key[], selector: string) {
  const container = useRef<Container>(null);
  const [last, setStop] = useState<Key>();
  const place = last === undefined ? 0 : Math.max(0, keys.indexOf(last));
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    Home: -keys.length,
    End: keys.length,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = Math.max(0, Math.min(keys.length - 1, place + step));
    setStop(keys[next]);
    container.current?.querySelectorAll<HTMLElement>(selector)[next]?.focus();
  };
  return { container, stop: keys[place], setStop, onKeyDown };
}
