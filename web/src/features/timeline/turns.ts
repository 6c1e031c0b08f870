import { useEffect, useState } from 'react';

interface Waiting {
  /** Where it stands on the page, in px. */
  readonly top: number;
  readonly begin: () => void;
}

/** Gives those who wait their turn, one in a frame, what is nearest to the middle of the window first. */
export function createTurns(page: {
  readonly middle: () => number;
  readonly nextFrame: (call: () => void) => unknown;
}): { wait(one: Waiting): () => void } {
  const waiting = new Set<Waiting>();
  let isAwaited = false;
  function ask(): void {
    if (isAwaited || waiting.size === 0) return;
    isAwaited = true;
    page.nextFrame(give);
  }
  function give(): void {
    isAwaited = false;
    const middle = page.middle();
    const distance = ({ top }: Waiting) => Math.abs(top - middle);
    const [first, ...others] = waiting;
    if (first === undefined) return;
    const nearest = others.reduce((best, one) => (distance(one) < distance(best) ? one : best), first);
    waiting.delete(nearest);
    nearest.begin();
    ask();
  }
  return {
    wait(one) {
      waiting.add(one);
      ask();
      return () => waiting.delete(one);
    },
  };
}

const turns = createTurns({
  middle: () => window.scrollY + window.innerHeight / 2,
  nextFrame: (call) => requestAnimationFrame(call),
});

/**
 * Whether something costly may be rendered that is wanted at a place of the page (px): what comes into view at once, as
 * after a jump, is rendered one after the other, each in a frame of its own, so that scrolling does not halt.
 */
export function useTurn(isWanted: boolean, top: number): boolean {
  const [isDue, setIsDue] = useState(false);
  useEffect(() => {
    if (!isWanted || isDue) return undefined;
    const leave = turns.wait({ top, begin: () => setIsDue(true) });
    return () => void leave();
  }, [isWanted, isDue, top]);
  return isDue;
}
