import { useIntersection } from '@mantine/hooks';
import { type ReactNode, useEffect, useState } from 'react';
import { useOnce } from '../lib/use-once';
import { whenIdle } from '../lib/when-idle';

interface WhenNearProps {
  /** Height that is kept for it (CSS). */
  readonly height: string;
  readonly children: ReactNode;
}

/** What is on the screen has this long before the rest is loaded too. */
const headStartMs = 1_500;

/** Shows its content when it is on the screen, or when the page has nothing else to do. */
export function WhenNear({ height, children }: WhenNearProps) {
  const { ref, entry } = useIntersection<HTMLDivElement>();
  const isNear = useOnce(entry?.isIntersecting === true);
  const isIdle = useIdle();
  return isNear || isIdle ? children : <div ref={ref} style={{ height }} />;
}

/** Whether the browser has had nothing to do since the page was shown. */
function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    let cancel: (() => void) | undefined;
    const timer = setTimeout(() => {
      cancel = whenIdle(() => setIdle(true));
    }, headStartMs);
    return () => {
      clearTimeout(timer);
      cancel?.();
    };
  }, []);
  return isIdle;
}
