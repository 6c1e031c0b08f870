import { flushSync } from 'react-dom';

/** Shows more items of a list and focuses the first of them, as the button that shows them disappears. */
export function showMore(list: Element | null, show: () => void): void {
  const first = list?.childElementCount ?? 0;
  flushSync(show);
  list?.children[first]?.querySelector<HTMLElement>('a, button')?.focus();
}
