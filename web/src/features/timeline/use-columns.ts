import { useMediaQuery } from '@mantine/hooks';
import { useLayoutEffect, useRef, useState } from 'react';

/** Least width of a card that has its picture above its text, and the space between cards, in px. */
const leastWidth = 248;
export const gap = 16;

/** How many cards stand beside each other in an element, how high they are about, and where the element begins. */
export function useColumns() {
  const list = useRef<HTMLDivElement>(null);
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const [{ width, top }, setPlace] = useState({ width: 0, top: 0 });
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const measure = () => {
      const box = element.getBoundingClientRect();
      const place = { width: Math.round(box.width), top: Math.round(box.top + window.scrollY) };
      setPlace((old) => (old.width === place.width && old.top === place.top ? old : place));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const columns = isNarrow ? 1 : Math.max(1, Math.floor((width + gap) / (leastWidth + gap)));
  const cardWidth = (width - gap * (columns - 1)) / columns;
  return { list, top, columns, cardHeight: isNarrow ? 92 : Math.round((cardWidth * 3) / 4) + 90 };
}
