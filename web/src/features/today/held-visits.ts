import { useIntersection } from '@mantine/hooks';
import { type FocusEvent, useState } from 'react';
import type { Visit } from '../../components/visits/summarize-day';

/** Holds back new visits while the list is hovered, focused or scrolled. */
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
    ...splitAtTop(visits, topId),
    release: () => setTopId(undefined),
    /** For an element above the list. */
    topRef: ref,
    /** Event handlers for the list. */
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

/** Number of visits held back above a list, and the visits shown. */
interface HeldVisits {
  readonly waiting: number;
  readonly shown: readonly Visit[];
}

/** Splits visits, newest first, at the one that was on top; none are held back if that one is no longer in the list. */
export function splitAtTop(visits: readonly Visit[], topId: number | undefined): HeldVisits {
  const place = visits.findIndex(({ id }) => id === topId);
  const waiting = Math.max(0, place);
  return { waiting, shown: visits.slice(waiting) };
}

/** Returns visits that are new since a known list, newest first; older ones that arrive late are omitted. */
export function arrivalsSince(known: readonly Visit[], visits: readonly Visit[]): readonly Visit[] {
  const ids = new Set(known.map(({ id }) => id));
  const newest = known[0]?.start_time ?? '';
  return visits.filter(({ id, start_time }) => !ids.has(id) && start_time >= newest);
}
