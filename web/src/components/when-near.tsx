import { useIntersection } from '@mantine/hooks';
import { type ReactNode, useEffect, useState } from 'react';
import { useOnce } from '../lib/use-once';
import { whenIdle } from '../lib/when-idle';
import { PartBoundary } from './part-boundary';

interface WhenNearProps {
  /** Height that is reserved for it until it has loaded (CSS). */
  readonly height: string;
  readonly children: ReactNode;
}

/** Height of the tab bar on a phone, which covers content. */
const barPixels = 60;
/** Head start of visible content before the rest is loaded. */
const headStartMs = 1_500;

/** Renders its content when it comes into view or when the browser is idle. */
export function WhenNear({ height, children }: WhenNearProps) {
  const { ref, entry } = useIntersection<HTMLDivElement>({ rootMargin: `0px 0px -${barPixels}px` });
  const isNear = useOnce(entry?.isIntersecting === true);
  const isIdle = useIdle();
  if (!isNear && !isIdle) return <div ref={ref} style={{ height }} />;
  return <PartBoundary fallback={<div style={{ height }} />}>{children}</PartBoundary>;
}

/** Whether the browser has been idle since the component was mounted. */
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
