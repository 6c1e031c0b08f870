import { useEffect, useRef } from 'react';

/** What shows that somebody has begun to look elsewhere. */
const ownMoves = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;

/** Scrolls back to where the page was, as soon as what is loaded anew reaches so far down (both in px). */
export function useReturn(offset: number, reach: number): void {
  const wanted = useRef(offset);
  useEffect(() => {
    const stay = () => {
      wanted.current = 0;
    };
    for (const move of ownMoves) window.addEventListener(move, stay, { passive: true });
    return () => {
      for (const move of ownMoves) window.removeEventListener(move, stay);
    };
  }, []);
  useEffect(() => {
    if (wanted.current === 0 || reach < wanted.current) return;
    window.scrollTo({ top: wanted.current });
    wanted.current = 0;
  }, [reach]);
}
