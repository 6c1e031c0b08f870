import type { Virtualizer } from '@tanstack/react-virtual';
import { useShortcuts } from '../../components/shortcuts';
import { type Move, moveCard } from './card-moves';
import type { Row } from './lay-out-rows';

/** As often as a line is looked for that is scrolled to and drawn only then. */
const mostFrames = 30;

function focusCard(id: number, frames = mostFrames): void {
  const link = document.querySelector<HTMLElement>(`[data-visit="${id}"] a`);
  if (link) link.focus({ preventScroll: true });
  else if (frames > 0) requestAnimationFrame(() => focusCard(id, frames - 1));
}

function focusedCard(): number | undefined {
  const id = document.activeElement?.closest<HTMLElement>('[data-visit]')?.dataset['visit'];
  return id === undefined ? undefined : Number(id);
}

/** `j` and `k` go from card to card; arrows do once a card has the focus, and scroll the page before. */
export function useCardKeys(
  rows: readonly Row[],
  virtualizer: Virtualizer<Window, Element>,
  topRow: number,
): void {
  const go = (move: Move) => {
    const place = moveCard(rows, focusedCard(), move, topRow);
    if (place === undefined) return;
    virtualizer.scrollToIndex(place.row, { align: 'auto' });
    focusCard(place.item.id);
  };
  const goOn = (move: Move) => (focusedCard() === undefined ? false : go(move));
  useShortcuts({
    j: () => go('next'),
    k: () => go('previous'),
    ArrowRight: () => goOn('next'),
    ArrowLeft: () => goOn('previous'),
    ArrowDown: () => goOn('down'),
    ArrowUp: () => goOn('up'),
  });
}
