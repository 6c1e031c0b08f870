import { useEffect, useState } from 'react';
import { useLiveEvents } from '../../api/live/live-events';

const shownMs = 10_000;

/** Whether the processor saw something move just now. */
export function useMovement(): boolean {
  const [movedAt, setMovedAt] = useState<number>();
  useLiveEvents(['motion'], () => setMovedAt(Date.now()));
  useEffect(() => {
    if (movedAt === undefined) return;
    const timer = setTimeout(() => setMovedAt(undefined), shownMs);
    return () => clearTimeout(timer);
  }, [movedAt]);
  return movedAt !== undefined;
}
