import { useIntersection } from '@mantine/hooks';
import { type ReactNode, useEffect, useState } from 'react';
import { useOnce } from '../lib/use-once';

interface WhenNearProps {
  /** Height that is kept for it (CSS). */
  readonly height: string;
  readonly children: ReactNode;
}

/** How far below the screen counts as near. */
const nearMargin = '300px';
/** What is on the screen has this long before the rest is loaded too. */
const headStartMs = 1_500;

/** Shows its content when it is nearly on the screen, or when the page has nothing else to do. */
export function WhenNear({ height, children }: WhenNearProps) {
  const { ref, entry } = useIntersection<HTMLDivElement>({ rootMargin: nearMargin });
  const isNear = useOnce(entry?.isIntersecting === true);
  const isIdle = useIdle();
  return isNear || isIdle ? children : <div ref={ref} style={{ height }} />;
}

/** Whether the browser has had nothing to do since the page was shown. */
function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const begin = () => setIdle(true);
    let idle: number | undefined;
    const timer = setTimeout(() => {
      // Safari has no such callback.
      if (typeof requestIdleCallback === 'undefined') begin();
      else idle = requestIdleCallback(begin);
    }, headStartMs);
    return () => {
      clearTimeout(timer);
      if (idle !== undefined) cancelIdleCallback(idle);
    };
  }, []);
  return isIdle;
}
