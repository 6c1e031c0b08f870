import type { Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Row } from './lay-out-rows';

const firstCard = (row: Row | undefined): number | undefined =>
  row?.kind === 'cards' ? row.items[0]?.id : undefined;

/** Keeps what one looks at where it is when visits come in above it; at the top of the list these are shown. */
export function useAnchor(
  rows: readonly Row[],
  virtualizer: Virtualizer<Window, Element>,
  topRow: number,
): void {
  const anchor = useRef<{ readonly id: number; readonly start: number }>(undefined);
  useLayoutEffect(() => {
    const kept = anchor.current;
    if (kept === undefined) return;
    const place = rows.findIndex((row) => row.kind === 'cards' && row.items.some(({ id }) => id === kept.id));
    const start = virtualizer.measurementsCache[place]?.start ?? kept.start;
    if (start !== kept.start) window.scrollBy({ top: start - kept.start });
  }, [rows, virtualizer]);
  useEffect(() => {
    const place = firstCard(rows[topRow]) === undefined ? topRow + 1 : topRow;
    const id = firstCard(rows[place]);
    const start = virtualizer.measurementsCache[place]?.start;
    const isAtTop = place <= 1;
    anchor.current = isAtTop || id === undefined || start === undefined ? undefined : { id, start };
  });
}
