import { type KeyboardEvent, useRef, useState } from 'react';

/** Roving tabindex: one tab stop for the `count` elements of a container; arrow keys, Home and End move between them. */
export function useRovingFocus<Container extends HTMLElement>(count: number, selector: string) {
  const container = useRef<Container>(null);
  const [stop, setStop] = useState(0);
  const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1, Home: -count, End: count };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = Math.max(0, Math.min(count - 1, stop + step));
    setStop(next);
    container.current?.querySelectorAll<HTMLElement>(selector)[next]?.focus();
  };
  return { container, stop: Math.min(stop, count - 1), setStop, onKeyDown };
}
