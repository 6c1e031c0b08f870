import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { Day } from '../../lib/days';
import type { LoadedDay } from './chunks';
import { placeOfCard, type TimelineLayout } from './timeline-layout';
import { focusCard } from './use-card-keys';
import { headerPixels, stripPixels, useOnUserMove } from './use-list-view';

/**
 * Scrolls to the visit that the hash of the URL names (`visit-7`) once it is loaded, and focuses its card. The visit stays
 * in place while the list above it is completed, until people scroll.
 */
export function useVisitFromHash(
  days: ReadonlyMap<Day, LoadedDay>,
  layout: TimelineLayout,
  top: number,
  isRestored: boolean,
): void {
  const hash = useLocation({ select: (location) => location.hash });
  const moved = useRef(isRestored ? hash : '');
  const focused = useRef('');
  useOnUserMove(() => {
    moved.current = hash;
  });
  useEffect(() => {
    const id = Number(/^visit-(\d+)$/.exec(hash)?.[1]);
    if (Number.isNaN(id) || moved.current === hash) return;
    for (const [day, { visits }] of days) {
      const at = visits.findIndex((visit) => visit.id === id);
      const box = at === -1 ? undefined : placeOfCard(layout, { day, at });
      if (box === undefined) continue;
      window.scrollTo({ top: Math.max(0, top + box.top - headerPixels - stripPixels), behavior: 'instant' });
      if (focused.current !== hash) focusCard({ day, at });
      focused.current = hash;
    }
  }, [hash, days, layout, top]);
}
