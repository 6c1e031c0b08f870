import { useShortcuts } from '../../components/shortcuts';
import {
  type CardPosition,
  firstCardFrom,
  type Move,
  moveCard,
  placeOfCard,
  type TimelineLayout,
} from './timeline-layout';
import { headerPixels, stripPixels } from './use-list-view';

/** Height of the navigation at the bottom of a phone. */
const phoneBarPixels = 76;
/** Number of animation frames to wait until a card is loaded and rendered. */
const maxFrames = 120;

/** Focuses a card as soon as it is rendered. */
export function focusCard(place: CardPosition, frames = maxFrames): void {
  const link = document.querySelector<HTMLElement>(`[data-place="${place.day} ${place.at}"] a`);
  if (link) link.focus({ preventScroll: true });
  else if (frames > 0) requestAnimationFrame(() => focusCard(place, frames - 1));
}

function focusedCard(): CardPosition | undefined {
  const place = document.activeElement?.closest<HTMLElement>('[data-place]')?.dataset['place'];
  const [day, at] = place?.split(' ') ?? [];
  return day === undefined ? undefined : { day, at: Number(at) };
}

/** Keys `j` and `k` move between cards; so do arrow keys while a card has the focus. */
export function useCardKeys(layout: TimelineLayout, top: number, y: number): void {
  const go = (move: Move) => {
    const focused = focusedCard();
    const place =
      focused === undefined ? firstCardFrom(layout, y + headerPixels) : moveCard(layout, focused, move);
    const box = place && placeOfCard(layout, place);
    if (place === undefined || box === undefined) return;
    const from = window.scrollY - top + headerPixels + stripPixels;
    const to = window.scrollY - top + window.innerHeight;
    if (box.top < from) window.scrollTo({ top: top + box.top - headerPixels - stripPixels });
    else if (box.top + box.height > to)
      window.scrollTo({ top: top + box.top + box.height - window.innerHeight + phoneBarPixels });
    focusCard(place);
  };
  const goFromCard = (move: Move) => (focusedCard() === undefined ? false : go(move));
  useShortcuts({
    j: () => go('next'),
    k: () => go('previous'),
    ArrowRight: () => goFromCard('next'),
    ArrowLeft: () => goFromCard('previous'),
    ArrowDown: () => goFromCard('down'),
    ArrowUp: () => goFromCard('up'),
  });
}
