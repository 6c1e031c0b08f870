import { useIntersection } from '@mantine/hooks';
import { type FocusEvent, useState } from 'react';
import { splitNews } from './split-news';
import type { Visit } from './summarize-day';

/** Visits of a list that stays where it is while somebody points at it, is in it, or has scrolled into it. */
export function useHeldVisits(visits: readonly Visit[]) {
  const newest = visits[0]?.id;
  const [known, setKnown] = useState(newest);
  const [topId, setTopId] = useState<number>();
  const [isPointed, setPointed] = useState(false);
  const { ref, entry } = useIntersection<HTMLDivElement>();
  const isTopAbove = entry !== null && !entry.isIntersecting && entry.boundingClientRect.top < 0;
  if (newest !== known) {
    setKnown(newest);
    if (topId === undefined && (isPointed || isTopAbove)) setTopId(known);
  }
  return {
    ...splitNews(visits, topId),
    release: () => setTopId(undefined),
    /** Stands on top of the list. */
    topRef: ref,
    /** What the list is to hear. */
    holding: {
      onPointerEnter: () => setPointed(true),
      onPointerLeave: () => setPointed(false),
      onFocus: () => setPointed(true),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget)) setPointed(false);
      },
    },
  };
}
